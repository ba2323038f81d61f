/** Accepts, merges and dismisses proposals. The text is stored like an import, in the transaction of the decision. */
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { newId } from "#core/ids.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import { fieldChangesOfProposal, withProposedFields } from "#core/proposals/fields.ts";
import { mayDecideProposal, nextProposalState, type ProposalMove } from "#core/proposals/rules.ts";
import { ImportRequest } from "#core/sops/import-schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, ProposalDocument, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { recordAcceptedCommit } from "../git/pushed-before.ts";
import { parseInput } from "../http/input-texts.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import type { Services } from "../http/services.ts";

import { decideAndApply } from "../sops/import/import.ts";
import { archiveProposedSop } from "./archive.ts";
import { proposalEventAudience, notifyProposalAuthor } from "./people.ts";
import { proposalAuditRow } from "./store.ts";
import { loadProposal, readStoredVersion, type VisibleProposal } from "./view.ts";
import { sha256 } from "../hashing.ts";
import { refusals } from "./refusals.ts";
import type { DecidedDocument } from "../sops/import/decide.ts";

/**
 * Accepts a proposal.
 * @throws AppError conflict if the proposal isn't based on the latest version: then it must be merged
 */
export async function acceptProposal(services: Services, call: SignedInCall, id: string): Promise<VisibleProposal> {
  const visible = await loadOpenProposal(services, call, id);
  const { text, sha256, kind } = visible.proposal;
  if (kind === "archive") {
    const { proposal } = visible;
    await archiveProposedSop(services, call, visible, async (tx, at) => {
      await closeProposal(tx, call, { proposal, move: "accept", reason: null, version: null, at });
    });
    return loadProposal(services, call.identity.actor, id);
  }
  await importProposedText(services, call, visible, { move: "accept", text, sha256 });
  return loadProposal(services, call.identity.actor, id);
}

/**
 * Accepts a proposal with a merged text.
 * @param merged the merged text, and the `version` that it was merged with. `fields` names the fields to take from the
 * proposal; the SOP keeps its other fields
 */
export async function mergeProposal(
  services: Services,
  call: SignedInCall,
  id: string,
  merged: { markdown: string; version: number; fields: readonly string[] },
): Promise<VisibleProposal> {
  const visible = await loadOpenProposal(services, call, id);
  const { proposal, sop } = visible;
  if (!sop) throw new AppError("conflict", refusals.newSop());
  if (proposal.kind === "archive") throw new AppError("conflict", refusals.noText());
  assertMergedWithLatest(sop, merged.version);
  const company = services.db.forCompany(sop.companyId);
  const current = await readStoredVersion(company, sop._id, sop.version);
  if (!current) throw new AppError("not_found");
  const proposed = readMarkdownFile(proposal.text).frontMatter;
  const wanted = new Set(fieldChangesOfProposal(null, current.frontMatter, proposed).map(({ key }) => key));
  const unproposed = merged.fields.find((key) => !wanted.has(key));
  if (unproposed !== undefined) {
    const message = refusals.unproposed({ field: unproposed });
    throw new AppError("invalid_input", message, { fields: message });
  }
  const { read_minutes: minutes, ...kept } = current.frontMatter;
  const isCounted = minutes === readingMinutesOf(current.markdown);
  const frontMatter = {
    ...withProposedFields(kept, proposed, new Set(merged.fields)),
    ...(isCounted || minutes === undefined ? {} : { read_minutes: minutes }),
    id: sop._id,
    version: sop.version,
  };
  const text = fileTextOf(frontMatter, merged.markdown);
  await importProposedText(services, call, visible, { move: "merge", text, sha256: proposalTextHash(text) });
  return loadProposal(services, call.identity.actor, id);
}

export async function dismissProposal(
  services: Services,
  call: SignedInCall,
  id: string,
  reason: string,
): Promise<VisibleProposal> {
  const { proposal } = await loadProposal(services, call.identity.actor, id);
  const at = services.clock.now();
  await transactionFor(services.db, proposal.companyId, async (tx) => {
    await closeProposal(tx, call, { proposal, move: "dismiss", reason, version: null, at });
  });
  return loadProposal(services, call.identity.actor, id);
}

async function loadOpenProposal(services: Services, { identity }: SignedInCall, id: string): Promise<VisibleProposal> {
  const visible = await loadProposal(services, identity.actor, id);
  const { proposal, sop } = visible;
  if (proposal.sopId !== null && !sop) throw new AppError("conflict", refusals.deletedSopToDecide());
  if (!mayDecideProposal(identity.actor, proposal, sop)) throw new AppError("forbidden");
  if (nextProposalState(proposal.state, "accept") === null) throw alreadyClosedError(proposal);
  return visible;
}

function assertMergedWithLatest({ version }: SopDocument, merged: number): void {
  if (version !== merged) throw new AppError("stale", refusals.otherVersion({ version }), { version });
}

interface AcceptedProposal {
  move: "accept" | "merge";
  text: string;
  sha256: string;
}

async function importProposedText(
  services: Services,
  call: SignedInCall,
  { proposal }: VisibleProposal,
  { move, text, sha256 }: AcceptedProposal,
): Promise<void> {
  const { path } = proposal;
  const documents = [{ path, sha256, text }];
  const note = proposalChangeNote(proposal);
  // users who accept a proposal for a new SOP know that it resembles another SOP
  const body = parseInput(ImportRequest, { importId: newId(), documents, note, resembling: "create" });
  const { authorId: id, writers = [], baseVersion: madeFrom } = proposal;
  const words = { writers: [{ id, name: printedAuthorOf(proposal) }, ...writers], madeFrom };
  await decideAndApply(services, { ...call, body, words }, async (tx, [document], written) => {
    if (!document) throw new AppError("internal");
    const sop = written.get(document) ?? document.sop;
    const isSaved = document.outcome === "update" || document.outcome === "create";
    if (!isSaved && document.outcome !== "unchanged") throw refusedTextError(document);
    const version = sop?.version ?? document.version ?? null;
    const at = services.clock.now();
    // the write of the SOP stores the answer for a repeated request
    await closeProposal(
      tx,
      { ...call, idempotency: null },
      { proposal, move, reason: null, version, sopId: sop?._id ?? null, at },
    );
    const { companyId, commit } = proposal;
    // a merged text isn't in the branch, so a later commit there must not undo the changes of other users
    if (move === "accept" && sop && commit !== null && version !== null)
      await recordAcceptedCommit(tx.forCompany(companyId), { sopId: sop._id, commit, version });
  });
}

function refusedTextError({ outcome, reason, proposable }: DecidedDocument): AppError {
  if (outcome === "conflict") return new AppError("conflict", refusals.changedSince());
  // users with more permissions could make this change
  return new AppError(proposable ? "forbidden" : "conflict", reason);
}

const printedAuthorOf = ({ authorName: name, authorUsername: username }: ProposalDocument) =>
  printedName({ name, username });

/** Returns the change note of the version. The note names the proposal and its author. */
function proposalChangeNote(proposal: ProposalDocument): string {
  const { number, comment } = proposal;
  const whose = `Proposal ${number} by ${printedAuthorOf(proposal)}`;
  const said = comment?.slice(0, limits.noteCharacters - whose.length - 2) ?? "";
  return said === "" ? whose : `${said}\n\n${whose}`;
}

interface ProposalClosing {
  proposal: ProposalDocument;
  move: Exclude<ProposalMove, "supersede">;
  reason: string | null;
  version: number | null;
  /** The id of the SOP that a proposed new document became; absent for the proposal of an archive or a dismissal. */
  sopId?: string | null;
  at: string;
}

/**
 * Stores the decision about a proposal.
 * @throws AppError conflict if another decision was stored first
 */
async function closeProposal(
  tx: Transaction<Collections>,
  call: SignedInCall,
  { proposal, move, reason, version, sopId = null, at }: ProposalClosing,
): Promise<void> {
  const { user } = call.identity;
  const state = nextProposalState("open", move) ?? proposal.state;
  const decided = {
    state,
    reason,
    version,
    decidedBy: { id: user._id, name: user.name, username: user.username },
    decidedAt: at,
  } satisfies Partial<ProposalDocument>;
  const became = proposal.sopId === null && sopId !== null ? { sopId } : {};
  const proposals = tx.forCompany(proposal.companyId).collection("proposals");
  const { matchedCount } = await proposals.updateOne(
    { _id: proposal._id, state: "open" },
    { $set: { ...decided, ...became } },
  );
  if (matchedCount === 0) throw alreadyClosedError(proposal);
  const changes = {
    proposal: proposal.number,
    sopId: proposal.sopId ?? sopId,
    ...(reason === null ? {} : { reason }),
    ...(version === null ? {} : { version }),
  };
  const { companyId } = proposal;
  await recordChange(
    tx,
    call,
    { companyId, at, hears: proposalEventAudience([proposal]) },
    proposalAuditRow(move, proposal, changes),
  );
  await notifyProposalAuthor(tx, { ...proposal, ...became, state }, user, at);
}

function alreadyClosedError({ state }: ProposalDocument): AppError {
  return new AppError("conflict", state === "open" ? refusals.closedAlready() : refusals.closed({ state }));
}

function proposalTextHash(text: string): string {
  return sha256(text);
}
