/**
 * Decides about each document of an import. The key of a document is its id or else its path. An import overwrites no
 * changes unless its user chooses that.
 */
import { can, mayReadVersion } from "#core/permissions/can.ts";
import { isId } from "#core/ids.ts";
import type { SopRelations } from "#core/life-cycle/save.ts";
import type { AssetLinks } from "#core/markdown/assets.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { decideImport, isOtherDocument } from "#core/sops/import-rules.ts";
import type { ImportOutcome, ImportRequest } from "#core/sops/import-schema.ts";
import type { VersionWriter } from "#core/approvals/writers.ts";
import type { ReservedNumberDocument, SopDocument, SopSourceDocument } from "../../database/documents.ts";
import type { Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { withCompanyNames } from "./adopt.ts";
import { withIdsByNumber } from "./by-number.ts";
import { loadChosenNumbers, decideNumber } from "./chosen-numbers.ts";
import { withLikelySops } from "./likely-sops.ts";
import { findFilesWithoutIdentity } from "./lost-identity.ts";
import { addSameTextNotes } from "./same-texts.ts";
import {
  asFileOfCopy,
  copyKey,
  importKeyOf,
  loadImportRecords,
  loadStoredData,
  loadStoredTexts,
  pathKey,
  findReservation,
  type StoredData,
  type StoredText,
  type ImportVisibleSop,
} from "./stored-data.ts";
import {
  baseVersionOf,
  ignoredKeyNotes,
  findOtherFileOfSop,
  otherNumberReason,
  conflictReason,
  likelySopReason,
  withoutDetectedLanguage,
  type PushFacts,
} from "./identity-keys.ts";
import type { ImportNote, ReadDocument } from "./read.ts";
import { findAssetLinkProblem } from "../../assets/linkable.ts";
import { linkText, mentionNotes, type TextBefore } from "../links/link-mentions.ts";
import type { NewSopLink } from "../links/link-sops.ts";
import { isSameText, type SopText } from "../edit/version-of.ts";
import { findWritersOfCopy } from "../history/writers.ts";
import { sha256 } from "../../hashing.ts";
import type { MessageWithId, Sentence } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

const v7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab]/i;

/**
 * Returns the id of the SOP that an import would create; the same in its plan. It is a UUID v7 with the time of the
 * import's id, so that ids still sort by creation. Null if the import's id isn't a UUID v7.
 */
function plannedIdOf(importId: string, key: string): string | null {
  const [, high, low] = v7.exec(importId) ?? [];
  if (high === undefined || low === undefined) return null;
  const hash = sha256(`${importId.toLowerCase()}\n${key}`);
  const variant = "89ab"[Number.parseInt(hash[3] ?? "0", 16) & 3];
  const rest = `7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
  return `${high}-${low}-${rest}`.toLowerCase();
}

export interface DecidedDocument {
  path: string;
  sha256: string;
  key: string;
  outcome: ImportOutcome;
  reason?: Sentence;
  notes: ImportNote[];
  title?: string;
  /** The SOP that the document belongs to: as stored, or as its next version. */
  sop: SopDocument | null;
  version?: number;
  /** The version with the same text as an unchanged document. Later changes of the file are based on that version. */
  basedOn?: number;
  /** The record that an earlier import stored under this key, as read for this decision; null without one. */
  source: SopSourceDocument | null;
  /** The text to write; absent if nothing changes. */
  text?: SopText;
  links?: AssetLinks & { sops: NewSopLink[] };
  relations?: SopRelations;
  /** The number that the file asks for, if the import creates the SOP. */
  wanted?: string;
  /**
   * The id of the SOP to create, the same in the plan and in the import. For a duplicate, it is the id of the SOP with
   * the same text.
   */
  plannedId?: string;
  /**
   * A second id by which links can name the document, because a plan by hashes doesn't know reservations of earlier
   * imports.
   */
  linkedAs?: string;
  reserved?: ReservedNumberDocument;
  /** The version that the document is based on; null or absent if unknown. */
  base?: number | null;
  /** Authors of the SOP that was copied. */
  copied?: VersionWriter[];
  /** Set if the document has no number and id and is in conflict with the SOP that it resembles, by path or text. */
  resembling?: "path" | "text";
  /** Set if the document can't become the next version, but people who can edit the SOP can decide about it. */
  proposable?: true;
}

/**
 * Codes of notes that only new SOPs get: an existing SOP keeps its category, and needs no hint that another SOP is
 * similar.
 */
const noteCodesOfNewSops: ReadonlySet<string> = new Set(["unread-category", "near-sop"]);

export async function decideDocuments(
  services: Services,
  identity: Identity,
  request: ImportRequest,
  read: readonly ReadDocument[],
  push?: PushFacts,
): Promise<DecidedDocument[]> {
  const numbered = await withIdsByNumber(services, identity.actor, read);
  const { importId, resembling } = request;
  const sources = await loadImportRecords(services, identity.actor, numbered);
  // a push already knows which files were moved or lost their number and id, so it needs no search for likely SOPs
  const { documents, loaded } =
    push !== undefined || resembling === "create"
      ? { documents: numbered, loaded: [] }
      : await withLikelySops(services, identity.actor, { importId, documents: numbered, sources });
  const idsBefore = [...(push?.idsBefore.values() ?? [])].map(({ id }) => id);
  const known = await loadStoredData(services, identity, documents, { sources, loaded, idsBefore });
  const numbers = await loadChosenNumbers(services, identity.actor.companyId, documents);
  const lost = await findFilesWithoutIdentity(services, identity.actor, documents, sources, push);
  const decided: DecidedDocument[] = [];
  for (const sent of documents) {
    const isKnown = known.sops.has(sent.content?.frontMatter.id ?? "");
    const isLikely = sent.likely !== undefined && request.onConflict !== "copy";
    const document = isKnown || isLikely ? withoutDetectedLanguage(sent) : sent;
    const first = await decideDocument(services, identity, request, document, known, decided, push);
    const ofFile = lost.get(sent);
    const { path, sha256, key, notes: said } = first;
    const one: Omit<DecidedDocument, "source"> =
      ofFile === undefined || ofFile.was._id === first.sop?._id
        ? decideNumber(first, { document, request, numbers, earlier: decided, isPush: push !== undefined })
        : { path, sha256, key, notes: said, sop: null, outcome: "refused", reason: ofFile.reason };
    const notes = one.notes.filter(({ code }) => !noteCodesOfNewSops.has(code) || one.outcome === "create");
    notes.push(...ignoredKeyNotes(document, one, push !== undefined));
    decided.push({ ...one, notes, source: known.byKey.get(one.key) ?? null });
  }
  await addSameTextNotes(services, identity.actor, decided, known.texts);
  return decided;
}

async function decideDocument(
  services: Services,
  identity: Identity,
  request: ImportRequest,
  document: ReadDocument,
  known: StoredData,
  earlier: readonly DecidedDocument[],
  push: PushFacts | undefined,
): Promise<Omit<DecidedDocument, "source">> {
  const { path, sha256, content } = document;
  const common = { path, sha256, notes: document.notes, sop: null };
  if (document.unreadable !== null)
    return { ...common, key: pathKey(path), outcome: "refused", reason: document.unreadable };
  if (!content) return { ...common, ...decideByHash(document, known, identity, request) };

  const id = content.frontMatter.id;
  const importKey = importKeyOf(document, identity.actor.userId, known);
  const otherFile = await findOtherFileOfSop(document, push);
  // a second file of an SOP, with only its number, gets another key than the file with the id
  const key = otherFile === null ? importKey : pathKey(path);
  const title = content.frontMatter.title ?? path;
  const refusedDocument = (reason: MessageWithId) => ({ ...common, key, title, outcome: "refused" as const, reason });
  const source = known.byKey.get(importKey);
  if (otherFile !== null && document.by === undefined) return refusedDocument(refusals.sameId({ path: otherFile }));
  // a file with only a number is decided by its text, in any order of the paths
  const twin = otherFile === null ? idConflictReason(document, importKey, source, request, earlier) : null;
  if (twin) return refusedDocument(twin);

  const idBefore = id === undefined ? push?.idsBefore.get(path)?.id : undefined;
  if ([id, source?.sopId, idBefore].some((one) => known.damaged.has(one ?? "")))
    return refusedDocument(refusals.sopDamaged());
  const own = isId(id) ? known.sops.get(id) : undefined;
  const ofCopy = id === undefined ? undefined : known.byKey.get(copyKey(identity.actor.userId, document, id));
  const copied = push === undefined && known.sops.has(ofCopy?.sopId ?? "") ? id : undefined;
  // later imports of this file update the copy, even after the copied SOP is deleted
  const decideAsCopy = (sopId: string) =>
    decideDocument(services, identity, request, asFileOfCopy(document, sopId), known, earlier, push);
  if (copied !== undefined && own === undefined) return await decideAsCopy(copied);
  const ofPath = source ? known.sops.get(source.sopId) : undefined;
  const twinOf = (own ?? ofPath) === undefined ? findSameBytes(document, key, known, earlier) : null;
  const likely = twinOf === null ? document.likely : undefined;
  const seen = own ?? known.sops.get(likely?.sopId ?? "") ?? ofPath ?? null;
  const latest = known.texts.get(seen?.sop._id ?? "") ?? null;
  const hasOtherId = document.by === "number beside another id";
  const base = likely
    ? null
    : baseVersionOf(document, own?.sop, source, { push, latest, userId: identity.actor.userId });
  const older = base ?? source?.version ?? null;
  const stored = await readStoredBase(services, identity.actor, seen, older);
  const contradiction = own ? otherNumberReason(document, own.sop, [latest, stored]) : null;
  if (contradiction !== null) return refusedDocument(contradiction);
  const { links, mentions, ...linked } = await withStoredLinks(services, identity.actor, content, {
    versions: [latest, stored],
    own: seen?.sop.label,
    // a plain number in a file without an id of this server isn't a removed link
    sawLinks: own !== undefined,
  });
  const kept = [latest, stored].flatMap((version) => version?.assets ?? []);
  const unreadable = await findAssetLinkProblem(services, identity.actor, links, kept);
  if (unreadable !== null) return refusedDocument(unreadable);
  const { text, relations, notes: read } = withCompanyNames(document, linked, identity, known, seen, latest);
  const file = request.documents.find((sent) => sent.path === path)?.text;
  const notes = [...read, ...mentionNotes(mentions, content.markdown, file)];
  const about = { ...common, key, title, notes, text, links, relations, base, sop: seen?.sop ?? null };
  const refusedForOthers = (reason: MessageWithId) => ({
    ...about,
    outcome: "refused" as const,
    reason,
    proposable: true as const,
  });
  if (seen && !latest) return refusedDocument(refusals.textDamaged());
  if (!seen || !latest) {
    if (twinOf) {
      const reason = refusals.sameContent({ path: twinOf.path });
      return { ...about, ...twinOf.planned, outcome: "duplicate", reason };
    }
    return { ...about, outcome: "create", version: 1, ...plannedIdentityOf(identity, request, known, { key, title }) };
  }
  const { sop } = seen;
  const asBefore = source?.sopId === sop._id && source.sha256 === sha256 ? source.version : null;
  const sameAsLatest = asBefore === seen.version || isSameText(latest, text);
  const sameAsBase = asBefore !== null || (!sameAsLatest && stored !== null && isSameText(stored, text));
  const isOther = document.by
    ? hasOtherId ||
      isOtherDocument(withTitle(latest), { ...withTitle(text), markdown: text.markdown.replaceAll(/^#.*$/gm, "") })
    : !own && likely?.by !== "text" && (document.isOther || isOtherDocument(withTitle(latest), withTitle(text)));
  const { outcome } = decideImport({ version: sop.version, sameAsLatest, sameAsBase, isOther }, base);
  // the file is a second file of the SOP, unless its number belongs to another document
  if (otherFile !== null && !(isOther && outcome === "conflict"))
    return refusedDocument(refusals.sameId({ path: otherFile }));
  if (seen.view === "published" && !sameAsLatest && !likely && !isOther)
    return refusedForOthers(refusals.cannotChange());
  if (outcome === "unchanged" && !likely?.equallyNear) {
    const basedOn = sameAsLatest ? seen.version : (asBefore ?? older ?? seen.version);
    // a file without number and id is remembered only after its user decided
    return { ...about, notes: read, outcome, version: seen.version, ...(!likely && { basedOn }) };
  }
  if (outcome === "conflict" && copied !== undefined) return await decideAsCopy(copied);
  // a similar text alone must never replace the text of an SOP
  if (outcome === "update" || (request.onConflict === "theirs" && likely?.by !== "text")) {
    const other = earlier.find((one) => one.outcome === "update" && one.sop?._id === sop._id);
    if (other) return { ...about, outcome: "refused", reason: refusals.sameSop({ path: other.path }) };
    if (!can(identity.actor, "sop.edit", sop)) return refusedForOthers(refusals.cannotChange());
    if (isOwnerChanged(sop, relations) && !can(identity.actor, "sop.share", sop))
      return refusedForOthers(refusals.cannotHandOver());
    if (sop.status === "archived") return { ...about, outcome: "refused", reason: refusals.archived() };
    return { ...about, outcome: "update", version: sop.version + 1 };
  }
  if (request.onConflict === "copy") {
    const newKey = likely && !ofPath ? key : copyKey(identity.actor.userId, document, own?.sop._id);
    const planned = plannedIdentityOf(identity, request, known, { key: newKey, title });
    const writers = isOther
      ? []
      : await findWritersOfCopy(services.db, sop, Math.min(base ?? seen.version, seen.version));
    return { ...about, key: newKey, sop: null, outcome: "create", version: 1, copied: writers, ...planned };
  }
  if (isOther) {
    const conflict = refusals.otherDocument({
      title: seen.title,
      by: document.by ? "number" : "path",
      number: sop.label,
      differs: hasOtherId ? "id" : document.isOther ? "most" : "lines",
    });
    const reason = refusals.copyOrReplace({ conflict });
    return { ...about, outcome: "conflict", reason, ...(likely && { resembling: likely.by }) };
  }
  if (likely) {
    const sop = likely.equallyNear || likely.namedAs !== undefined ? null : seen.sop;
    return { ...about, sop, outcome: "conflict", reason: likelySopReason(seen, likely), resembling: likely.by };
  }
  return { ...about, outcome: "conflict", proposable: true, reason: conflictReason(sop, base, own !== undefined) };
}

function withTitle({ frontMatter, markdown }: SopText) {
  return { title: frontMatter.title, markdown };
}

/**
 * Says whether the file names another owner or team. Both get access to the SOP, so a change needs the permission to
 * share.
 */
function isOwnerChanged(sop: SopDocument, { ownerId, teamId }: SopRelations): boolean {
  return ownerId !== sop.ownerId || (teamId !== null && teamId !== sop.teamId);
}

/** Returns the reason why a document has the id or path of an earlier document in this import; null if it doesn't. */
function idConflictReason(
  { path, content }: ReadDocument,
  key: string,
  source: SopSourceDocument | undefined,
  request: ImportRequest,
  earlier: readonly DecidedDocument[],
): MessageWithId | null {
  const twin = earlier.find((other) => other.key === key);
  if (content?.frontMatter.id === undefined) return twin ? refusals.samePath() : null;
  const before = source && source.importId === request.importId && source.path !== path ? source : null;
  const same = twin ?? before;
  return same ? refusals.sameId({ path: same.path }) : null;
}

/**
 * Decides by the hash about a document that came without its text. Names the existing or planned SOP too, which counts
 * only for a document without an id of its own.
 */
function decideByHash(
  document: ReadDocument,
  known: StoredData,
  identity: Identity,
  request: ImportRequest,
): Pick<DecidedDocument, "key" | "outcome"> & Partial<Omit<DecidedDocument, "source">> {
  const { path, sha256 } = document;
  const same = known.byContent.get(sha256)?.find((source) => source.path === path);
  const seen = known.sops.get(same?.sopId ?? "");
  if (same && seen)
    return { key: same.key, outcome: "unchanged", sop: seen.sop, title: seen.title, version: seen.version };
  const key = importKeyOf(document, identity.actor.userId, known);
  const before = known.sops.get(known.byKey.get(key)?.sopId ?? "");
  const unknown = { key: pathKey(path), outcome: "unknown" as const };
  if (before) return { ...unknown, plannedId: before.sop._id };
  return {
    ...unknown,
    ...(findSameBytes(document, key, known, [])?.planned ?? plannedIdentityOf(identity, request, known, { key })),
  };
}

/** Finds a document with the same bytes under another key, imported earlier or earlier in this request. */
function findSameBytes({ sha256 }: ReadDocument, key: string, known: StoredData, earlier: readonly DecidedDocument[]) {
  const before = known.byContent.get(sha256)?.find((source) => source.key !== key);
  if (before) return { path: before.path, planned: { plannedId: before.sopId } };
  const other = earlier.find((one) => one.sha256 === sha256 && one.outcome === "create");
  if (!other) return null;
  return { path: other.path, planned: other.plannedId === undefined ? {} : { plannedId: other.plannedId } };
}

/** Returns the planned id and reserved number of a new document. Links between documents need ids before SOPs exist. */
function plannedIdentityOf(
  { actor }: Identity,
  request: ImportRequest,
  { reserved: rows }: StoredData,
  { key, title }: { key: string; title?: string },
): Pick<DecidedDocument, "plannedId" | "linkedAs" | "reserved"> {
  const id = plannedIdOf(request.importId, `${actor.companyId}\n${key}`);
  const reserved = findReservation(rows, request, key, title);
  if (!reserved) return id === null ? {} : { plannedId: id };
  return { plannedId: reserved._id, reserved, ...(id !== null && id !== reserved._id && { linkedAs: id }) };
}

/**
 * Reads the text of the version that the document is based on; null if unknown, unreadable, or the one the user sees.
 */
async function readStoredBase(services: Services, actor: Actor, seen: ImportVisibleSop | null, base: number | null) {
  if (seen === null || base === null || base === seen.version || !mayReadVersion(actor, seen.sop, base)) return null;
  const company = services.db.forCompany(actor.companyId);
  const texts = await loadStoredTexts(company, [{ sopId: seen.sop._id, version: base }]);
  return texts.get(seen.sop._id) ?? null;
}

/**
 * Returns the content with its links to SOPs in their stored form.
 * @param versions the versions that the document can be based on
 */
async function withStoredLinks(
  services: Services,
  actor: Actor,
  { frontMatter, markdown, links }: NonNullable<ReadDocument["content"]>,
  { versions, ...before }: { versions: readonly (StoredText | null)[] } & Pick<TextBefore, "own" | "sawLinks">,
) {
  const {
    markdown: linked,
    links: sops,
    mentions,
  } = await linkText(
    services,
    actor,
    { markdown },
    {
      ...before,
      texts: versions.flatMap((version) => version?.markdown ?? []),
      links: versions.flatMap((version) => version?.sopLinks ?? []),
    },
  );
  const assets = linked === markdown ? links : await services.render.assetLinks(linked);
  return { frontMatter, markdown: linked, links: { ...assets, sops }, mentions };
}
