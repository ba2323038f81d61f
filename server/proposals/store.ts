/** Stores proposals, and supersedes earlier ones of the same author. */
import { assertTextRoom, loadTextRoom, type TextRoom } from "../companies/text-room.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { limits } from "#core/limits.ts";
import { newId } from "#core/ids.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { mayPropose, nextProposalState, type ProposalSource } from "#core/proposals/rules.ts";
import type { VersionWriter } from "#core/approvals/writers.ts";
import { recordChange, type RecordedRow } from "../effects/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, CounterDocument, ProposalDocument, SopDocument } from "../database/documents.ts";
import type { Filter, Transaction } from "../database/port.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { DecidedDocument } from "../sops/import/decide.ts";
import { storedLinks } from "../sops/links/link-sops.ts";
import { proposalEventAudience, notifyDeciders } from "./people.ts";
import { refusals } from "./refusals.ts";

type Tx = Transaction<Collections>;

/** The user who proposes, and where the texts come from. */
export interface Proposer {
  identity: Identity;
  origin: Origin | null;
  source: ProposalSource;
  /** The commit that has the texts. */
  commit: string | null;
  comment: string | null;
  /** Users who wrote the commits; absent if unknown. */
  writers?: readonly VersionWriter[];
}

export type StoredProposal = { number: number; isOld: boolean } | { refused: string };

/** A document to propose. `sop` is absent or null for a new SOP. */
interface ProposableDocument {
  path: string;
  sop?: SopDocument | null;
}

/**
 * Stores proposals for documents of an import or a push.
 * @returns the result by document, as `storeProposalOfEach` does
 */
export function storeProposals(
  services: Pick<Services, "db" | "clock" | "companies" | "config">,
  proposer: Proposer,
  documents: readonly DecidedDocument[],
): Promise<Map<DecidedDocument, StoredProposal>> {
  return storeProposalOfEach(services, proposer, documents, proposalOfDocument);
}

/**
 * Stores a proposal for each document, in one transaction. A repeated proposal of the same author isn't stored again.
 * An earlier open proposal of the same author and SOP is superseded.
 * @param make creates the proposal for a document; null for a document that couldn't be read
 * @returns the result by document. Leaves out a document that couldn't be read, or whose SOP can't get proposals
 */
export async function storeProposalOfEach<Document extends ProposableDocument>(
  { db, clock, companies, config }: Pick<Services, "db" | "clock" | "companies" | "config">,
  proposer: Proposer,
  documents: readonly Document[],
  make: (proposer: Proposer, document: Document, at: string) => ProposalDocument | null,
): Promise<Map<Document, StoredProposal>> {
  const { user, actor } = proposer.identity;
  const { companyId } = actor;
  if (documents.length === 0) return new Map();
  const texts = await loadTextRoom({ companies, config }, companyId);
  return transactionFor(db, companyId, async (tx) => {
    const at = clock.now();
    const stored = new Map<Document, StoredProposal>();
    const open = await findOpenProposals(tx, companyId, { authorId: user._id });
    const sops = await loadSopsOfDocuments(tx, companyId, documents);
    const made: { proposal: ProposalDocument; sop: SopDocument | null }[] = [];
    const room = await countOpenProposalRoom(tx, companyId, open.length);
    for (const document of documents) {
      const sop = document.sop && (sops.get(document.sop._id) ?? null);
      // the SOP was archived, deleted or restricted since the push was read
      if (document.sop && (!sop || sop.status === "archived" || !mayPropose(actor, sop))) continue;
      const proposal = make(proposer, document, at);
      if (proposal === null) continue;
      const same = open.find((one) => isSameText(one, proposal));
      if (same) stored.set(document, { number: same.number, isOld: true });
      else if (made.length >= room) stored.set(document, { refused: refusals.noRoom().text });
      else made.push({ proposal, sop: sop ?? null });
    }
    if (made.length === 0) return stored;
    const textBytes = made.reduce((sum, { proposal }) => sum + utf8Length(proposal.text ?? ""), 0);
    const last = await addToCounters(tx, companyId, { proposalNumber: made.length, textBytes }, texts);
    for (const [index, { proposal }] of made.entries()) proposal.number = last - made.length + 1 + index;
    const proposals = made.map(({ proposal }) => proposal);
    for (const { number, sopId, path } of proposals) {
      const before = open.find((one) => (sopId === null ? one.path === path : one.sopId === sopId));
      if (before) await supersedeProposals(tx, companyId, [before], number, at);
      const document = documents.find((one) => one.path === path);
      if (document) stored.set(document, { number, isOld: false });
    }
    await tx.forCompany(companyId).collection("proposals").insertMany(proposals);
    await recordChange(
      tx,
      { identity: proposer.identity, origin: proposer.origin },
      { companyId, at, hears: proposalEventAudience(proposals) },
      ...proposals.map((proposal) => {
        const { number, sopId, path, baseVersion, source, commit } = proposal;
        return proposalAuditRow("create", proposal, { proposal: number, sopId, path, baseVersion, source, commit });
      }),
    );
    await notifyDeciders(tx, { companyId, proposals: made, actor: user, at });
    return stored;
  });
}

/** Supersedes the user's open proposals for these SOPs, because a later text by this user was saved as a draft. */
export async function supersedeOwnProposals(
  { db, clock }: Pick<Services, "db" | "clock">,
  by: Pick<Proposer, "identity" | "origin">,
  sopIds: readonly string[],
): Promise<void> {
  const { companyId, userId } = by.identity.actor;
  const own = { authorId: userId, sopId: { $in: [...sopIds] } };
  if (sopIds.length === 0 || (await findOpenProposals(db, companyId, own)).length === 0) return;
  await transactionFor(db, companyId, async (tx) => {
    const at = clock.now();
    const open = await findOpenProposals(tx, companyId, own);
    await supersedeProposals(tx, companyId, open, null, at);
    await recordChange(
      tx,
      { identity: by.identity, origin: by.origin },
      { companyId, at, hears: proposalEventAudience(open) },
      ...open.map((one) => proposalAuditRow("supersede", one, { proposal: one.number })),
    );
  });
}

export function proposalAuditRow(
  done: "create" | "supersede" | "accept" | "merge" | "dismiss",
  { _id }: Pick<ProposalDocument, "_id">,
  changes: Record<string, unknown>,
): RecordedRow {
  return { action: `proposal.${done}`, entityType: "proposal", entityId: _id, changes };
}

function findOpenProposals(
  store: Tx,
  companyId: string,
  filter: Filter<ProposalDocument>,
): Promise<ProposalDocument[]> {
  const projection = { number: 1, authorId: 1, sopId: 1, path: 1, sha256: 1, baseVersion: 1, kind: 1 } as const;
  return store
    .forCompany(companyId)
    .collection("proposals")
    .find({ ...filter, state: "open" }, { projection });
}

async function supersedeProposals(
  tx: Tx,
  companyId: string,
  open: readonly ProposalDocument[],
  by: number | null,
  at: string,
): Promise<void> {
  await tx
    .forCompany(companyId)
    .collection("proposals")
    .updateMany(
      { _id: { $in: open.map(({ _id }) => _id) }, state: "open" },
      { $set: { state: nextProposalState("open", "supersede"), supersededBy: by, decidedAt: at } },
    );
}

async function loadSopsOfDocuments(
  tx: Tx,
  companyId: string,
  documents: readonly ProposableDocument[],
): Promise<Map<string, SopDocument>> {
  const ids = documents.flatMap(({ sop }) => sop?._id ?? []);
  const found = await tx
    .forCompany(companyId)
    .collection("sops")
    .find({ _id: { $in: [...new Set(ids)] } });
  return new Map(found.map((sop) => [sop._id, sop]));
}

/** Counts the proposals that the user can still open, by the limits of the company and of the user. */
async function countOpenProposalRoom(tx: Tx, companyId: string, own: number): Promise<number> {
  const open = await tx
    .forCompany(companyId)
    .collection("proposals")
    .countDocuments({ state: "open" }, { limit: limits.openProposals });
  return Math.max(0, Math.min(limits.openProposals - open, limits.openProposalsOfUser - own));
}

/**
 * Adds to the company's counters of proposals and text bytes.
 * @returns the highest of the new proposal numbers
 * @throws AppError if the company has no room for the texts
 */
async function addToCounters(
  tx: Tx,
  companyId: string,
  count: Required<Pick<CounterDocument, "proposalNumber" | "textBytes">>,
  room: TextRoom,
): Promise<number> {
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: count }, { returnDocument: "after" });
  if (counters) assertTextRoom(counters, count.textBytes, room);
  return counters?.proposalNumber ?? count.proposalNumber;
}

function isSameText(open: ProposalDocument, { sopId, path, sha256, baseVersion, kind }: ProposalDocument): boolean {
  const isSameSop = sopId === null ? open.sopId === null && open.path === path : open.sopId === sopId;
  return isSameSop && open.kind === kind && open.sha256 === sha256 && open.baseVersion === baseVersion;
}

/** Returns the fields that all new proposals share. The number is set later. */
export function newProposalFields({ identity: { user }, source, commit, comment, writers = [] }: Proposer, at: string) {
  return {
    _id: newId(),
    companyId: user.companyId,
    number: 0,
    state: "open",
    source,
    commit,
    comment,
    authorId: user._id,
    authorName: user.name,
    authorUsername: user.username,
    ...(writers.length > 0 ? { writers: [...writers] } : {}),
    createdAt: at,
    reason: null,
    decidedBy: null,
    decidedAt: null,
    version: null,
    supersededBy: null,
  } satisfies Partial<ProposalDocument>;
}

/** Returns the proposal for a document; null if the document couldn't be read. */
function proposalOfDocument(
  proposer: Proposer,
  { path, sha256, sop, text, links, base = null, title = path }: DecidedDocument,
  at: string,
): ProposalDocument | null {
  if (!text || !links) return null;
  // an import finds an SOP by its own user's earlier imports, so a file imported by another user must name the SOP
  const { sop: _sop, id: _id, version: _version, number: _number, ...own } = text.frontMatter;
  const frontMatter = sop ? { ...own, sop: sop.label, id: sop._id, ...(base === null ? {} : { version: base }) } : own;
  return {
    ...newProposalFields(proposer, at),
    sopId: sop?._id ?? null,
    path,
    sha256,
    baseVersion: base,
    title,
    text: fileTextOf(frontMatter, text.markdown),
    assets: links.assets.map((asset) => asset.sha256),
    assetPlaces: links.places,
    sopLinks: storedLinks(links.sops),
  };
}
