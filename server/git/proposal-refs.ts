/**
 * Writes `refs/proposals/<number>` for one user. A commit depends only on its proposal, so it has the same id in every
 * clone. The refs are written only into repositories of that user, never into the company's repository.
 */
import { baseCommitMessage, decisionCommitMessage, proposedTextCommitMessage } from "#core/proposals/commits.ts";
import { limits } from "#core/limits.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion } from "#core/permissions/can.ts";
import { epochSeconds, commitIdentityOf } from "#core/repository/message.ts";
import { commitBytes, objectId } from "#core/repository/objects.ts";
import { emptyFolder, hashTree, putFile } from "#core/repository/tree.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { ProposalDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { listProposals } from "../proposals/view.ts";
import { sha1 } from "../repository/sha1.ts";
import type { ObjectWriter } from "../repository/loose-writer.ts";
import { versionFileBytes } from "../repository/version-file.ts";

type ProposalRefServices = Pick<Services, "db">;

export interface FetchableProposal {
  /** The proposal; its text isn't loaded. */
  proposal: ProposalDocument;
  /** The version that the proposal is based on; null if the user can't read that version. */
  base: number | null;
}

/** Loads the newest proposals that the actor can see, including accepted and rejected ones. */
export async function loadFetchableProposals(
  services: ProposalRefServices,
  actor: Actor,
): Promise<FetchableProposal[]> {
  const { found } = await listProposals(services, actor, { state: "all", limit: limits.fetchedProposals });
  return found.map(({ proposal, sop }) => {
    const { baseVersion } = proposal;
    const isReadable = sop !== null && baseVersion !== null && mayReadVersion(actor, sop, baseVersion);
    return { proposal, base: isReadable ? baseVersion : null };
  });
}

/**
 * Returns all facts about proposals that decide the content of a served repository. They are part of its key in the
 * cache.
 */
export function proposalFactsForKey(proposals: readonly FetchableProposal[]): unknown {
  return proposals.map(({ proposal: { _id, state }, base }) => [_id, state, base]);
}

/** Writes the commits of proposals. @returns the refs, by name */
export async function putProposals(
  { db }: ProposalRefServices,
  companyId: string,
  objects: ObjectWriter,
  proposals: readonly FetchableProposal[],
): Promise<Map<string, string>> {
  const company = db.forCompany(companyId);
  const refs = new Map<string, string>();
  for (const { proposal, base } of proposals) {
    const { _id, number, sopId } = proposal;
    const stored = await company.collection("proposals").findOne({ _id }, { projection: { text: 1 } });
    // the query leaves out a damaged version, and the proposal's commit then has no parent
    const [based = null] =
      base === null || sopId === null
        ? []
        : await company.collection("sop_versions").find({ sopId, version: base }, { limit: 1 });
    if (stored === null) continue;
    const texts = { base: based && versionFileBytes(based), proposed: proposalAsFile(proposal, stored.text) };
    refs.set(`refs/proposals/${number}`, await putProposal(objects, proposal, texts));
  }
  return refs;
}

/** Returns the text with links to files, in the form of the repository. */
function proposalAsFile({ assetPlaces, sopLinks }: ProposalDocument, text: string): Uint8Array {
  const { frontMatter, body: markdown } = readMarkdownFile(text);
  return versionFileBytes({ frontMatter, markdown, assetPlaces, sopLinks });
}

/** Says whether git can store the path. Paths that come from a push always pass. */
function isStorablePath(path: string): boolean {
  return path.split("/").every((name) => !/^(?:\.{0,2}|\.git)$/i.test(name)) && !path.includes("\0");
}

async function putProposal(
  objects: ObjectWriter,
  proposal: ProposalDocument,
  texts: { base: Uint8Array | null; proposed: Uint8Array },
): Promise<string> {
  const {
    number,
    state,
    authorId,
    authorName: name,
    authorUsername: username,
    createdAt,
    decidedBy,
    decidedAt,
    path,
  } = proposal;
  const server = commitIdentityOf("server", "SOP Server");
  const treeOfProposal = async (content: Uint8Array): Promise<string> => {
    const folder = emptyFolder();
    const oid = await objects.blob(content);
    putFile(folder, isStorablePath(path) ? path : `sops/proposal-${number}.md`, oid);
    return hashTree(folder, sha1, objects.add);
  };
  const addCommit = (parent: string | null, of: string, author: string, at: string, message: string): string => {
    const content = commitBytes({ tree: of, parent, author, seconds: epochSeconds(at), message });
    const oid = objectId("commit", content, sha1);
    objects.add("commit", oid, content);
    return oid;
  };
  const base =
    texts.base && addCommit(null, await treeOfProposal(texts.base), server, createdAt, baseCommitMessage(proposal));
  const proposed = await treeOfProposal(texts.proposed);
  const author = commitIdentityOf(authorId, printedName({ name, username }));
  const open = addCommit(base, proposed, author, createdAt, proposedTextCommitMessage(proposal));
  if (state === "open" || decidedAt === null) return open;
  const by = decidedBy ? commitIdentityOf(decidedBy.id, printedName(decidedBy)) : server;
  return addCommit(open, proposed, by, decidedAt, decisionCommitMessage(proposal));
}
