/** Presents proposals as their reader can see them now. The SOP's title and texts follow the reader's access to it. */
import type { z } from "zod";
import { AppError } from "#core/errors.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { fieldChangesOfProposal } from "#core/proposals/fields.ts";
import { mayDecideProposal, mayDismissProposal, maySeeProposal } from "#core/proposals/rules.ts";
import type { Proposal, ProposalQuery, ProposalRow } from "#core/proposals/schema.ts";
import type { Collections, ProposalDocument, SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { CompanyStore, Filter, Projection } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { refusals } from "./refusals.ts";
import { invalidCursorError } from "../http/invalid-cursor.ts";

type ProposalViewServices = Pick<Services, "db">;

export interface VisibleProposal {
  proposal: ProposalDocument;
  /** The SOP, even if the reader can't see it; null for a new and for a deleted SOP. */
  sop: SopDocument | null;
}

/** The maximum number of proposals to read for a page, for users who see few of them. */
const readAtMost = 2_000;
const readAtOnce = 200;
const withoutText: Projection<ProposalDocument> = { text: 0, assets: 0 };

/**
 * Loads a proposal.
 * @param id the id or the number
 * @throws AppError not_found for a proposal that the actor can't see, as for an unknown id
 */
export async function loadProposal({ db }: ProposalViewServices, actor: Actor, id: string): Promise<VisibleProposal> {
  const company = db.forCompany(actor.companyId);
  const which: Filter<ProposalDocument> = /^\d{1,15}$/.test(id) ? { number: Number(id) } : { _id: id };
  const proposal = await company.collection("proposals").findOne(which);
  const [visible] = proposal ? await loadVisibleProposals(company, actor, [proposal]) : [];
  if (!visible) throw new AppError("not_found", refusals.unknown());
  return visible;
}

/** Lists proposals without their texts, newest first. */
export async function listProposals(
  { db }: ProposalViewServices,
  actor: Actor,
  { state, mine, sopId, limit, cursor }: ProposalQuery,
): Promise<{ found: VisibleProposal[]; nextCursor?: string }> {
  const filter = {
    ...(state === "all" ? {} : { state }),
    ...(mine === undefined ? {} : { authorId: mine === "true" ? actor.userId : { $ne: actor.userId } }),
    ...(sopId === undefined ? {} : { sopId }),
  };
  const found: VisibleProposal[] = [];
  const before = cursor === undefined ? null : readCursor(cursor);
  for await (const page of readProposalPages(db.forCompany(actor.companyId), filter, before)) {
    found.push(...(await loadVisibleProposals(db.forCompany(actor.companyId), actor, page)));
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { found: shown, ...(found.length > limit && last ? { nextCursor: String(last.proposal.number) } : {}) };
}

/** Counts the open proposals that the actor sees. */
export async function countVisibleOpenProposals({ db }: ProposalViewServices, actor: Actor): Promise<number> {
  const company = db.forCompany(actor.companyId);
  let count = 0;
  for await (const page of readProposalPages(company, { state: "open" }, null)) {
    count += (await loadVisibleProposals(company, actor, page)).length;
  }
  return count;
}

async function* readProposalPages(
  company: CompanyStore<Collections>,
  filter: Filter<ProposalDocument>,
  before: number | null,
): AsyncGenerator<ProposalDocument[]> {
  let last = before;
  for (let read = 0; read < readAtMost; read += readAtOnce) {
    const older = last === null ? {} : { number: { $lt: last } };
    const page = await company
      .collection("proposals")
      .find({ ...filter, ...older }, { sort: { number: -1 }, limit: readAtOnce, projection: withoutText });
    if (page.length > 0) yield page;
    if (page.length < readAtOnce) return;
    last = page.at(-1)?.number ?? null;
  }
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalidCursorError();
}

/** Loads the SOPs of these proposals, and returns those proposals that the actor sees. */
export async function loadVisibleProposals(
  company: CompanyStore<Collections>,
  actor: Actor,
  proposals: readonly ProposalDocument[],
): Promise<VisibleProposal[]> {
  const ids = [...new Set(proposals.flatMap(({ sopId }) => sopId ?? []))];
  const sops = ids.length === 0 ? [] : await company.collection("sops").find({ _id: { $in: ids } });
  const known = new Map(sops.map((sop) => [sop._id, sop]));
  return proposals.flatMap((proposal) => {
    const { sopId, authorId, kind } = proposal;
    const sop = sopId === null ? null : known.get(sopId);
    // the record of the SOP may have been deleted
    if (sop === undefined) return authorId === actor.userId && kind !== "archive" ? [{ proposal, sop: null }] : [];
    return maySeeProposal(actor, proposal, sop) ? [{ proposal, sop }] : [];
  });
}

export function presentProposalRow(actor: Actor, { proposal, sop }: VisibleProposal): z.input<typeof ProposalRow> {
  const {
    _id: id,
    number,
    state,
    kind = "text",
    source,
    sopId,
    title,
    path,
    baseVersion,
    comment,
    createdAt,
  } = proposal;
  const { authorId, authorName, authorUsername, reason, decidedBy, decidedAt, version, supersededBy } = proposal;
  const mayDecide = state === "open" && isDecidable(proposal, sop) && mayDecideProposal(actor, proposal, sop);
  return {
    id,
    number,
    state,
    kind,
    source,
    sop: sop && presentSopOfProposal(actor, sop),
    isNew: sopId === null,
    title,
    path,
    baseVersion,
    comment,
    author: { id: authorId, name: authorName, username: authorUsername },
    createdAt,
    reason,
    decidedBy,
    decidedAt,
    version,
    supersededBy,
    mayDecide,
    mayDismiss: state === "open" && mayDismissProposal(actor, proposal, sop),
  };
}

function presentSopOfProposal(actor: Actor, sop: SopDocument): z.input<typeof ProposalRow>["sop"] {
  const view = visibleVersion(actor, sop);
  if (view === "nothing") return null;
  const { title, version } = view === "published" && sop.published ? sop.published : sop;
  return { id: sop._id, number: sop.label, title, version };
}

/** Says whether the proposal's SOP still exists, or the proposal is for a new SOP. */
function isDecidable({ sopId }: ProposalDocument, sop: SopDocument | null): boolean {
  return sopId === null || sop !== null;
}

export async function presentProposal(
  { db }: ProposalViewServices,
  actor: Actor,
  visible: VisibleProposal,
): Promise<z.input<typeof Proposal>> {
  const { proposal, sop } = visible;
  const { text, baseVersion } = proposal;
  const proposed = readMarkdownFile(text);
  const view = sop ? visibleVersion(actor, sop) : "nothing";
  const company = db.forCompany(actor.companyId);
  const readVersionOfSop = async (version: number | null) => {
    if (!sop || version === null || !mayReadVersion(actor, sop, version)) return null;
    return readStoredVersion(company, sop._id, version);
  };
  const current = sop && view !== "nothing" ? await readVersionOfSop(versionNumberInView(sop, view)) : null;
  const base = await readVersionOfSop(baseVersion);
  const isText = proposal.kind !== "archive";
  const fields =
    current && isText
      ? fieldChangesOfProposal(base?.frontMatter ?? null, current.frontMatter, proposed.frontMatter)
      : [];
  const presentVersion = (stored: SopVersionDocument | null) =>
    stored && { version: stored.version, markdown: stored.markdown };
  return {
    ...presentProposalRow(actor, visible),
    base: presentVersion(base),
    current: presentVersion(current),
    proposed: { markdown: proposed.body },
    fields,
    text,
    isCurrent: sop === null ? proposal.sopId === null : baseVersion === sop.version,
  };
}

export function readStoredVersion(
  company: CompanyStore<Collections>,
  sopId: string,
  version: number,
): Promise<SopVersionDocument | null> {
  return company.collection("sop_versions").findOne({ sopId, version });
}
