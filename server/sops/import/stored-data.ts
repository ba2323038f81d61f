/** Loads the stored data that import decisions use. Leaves out data that the user can't read. */
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { isId } from "#core/ids.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import type { Collections, ReservedNumberDocument, SopDocument, SopSourceDocument } from "../../database/documents.ts";
import type { CompanyStore } from "../../database/port.ts";
import type { Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import type { SopText } from "../edit/version-of.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { VersionAuthorship } from "./identity-keys.ts";
import type { ReadDocument } from "./read.ts";
import { versionNumberInView } from "../view/present.ts";
import { findDamagedSopIds } from "../list/unreadable.ts";
import type { View } from "../list/visible.ts";

/** An SOP in the version that the importing user sees. */
export interface ImportVisibleSop {
  sop: SopDocument;
  view: View;
  version: number;
  title: string;
}

export type StoredText = SopText & VersionAuthorship & { sopLinks?: SopLink[]; assets: string[] };

export interface StoredData {
  /** The records of earlier imports, by key. */
  byKey: ReadonlyMap<string, SopSourceDocument>;
  /** The records of earlier imports that the user can know of, by the hash of their files. */
  byContent: ReadonlyMap<string, readonly SopSourceDocument[]>;
  /** The numbers reserved for these documents. */
  reserved: readonly ReservedNumberDocument[];
  /** Existing SOPs that the user can see, by id. */
  sops: ReadonlyMap<string, ImportVisibleSop>;
  /** The texts that the user sees, by the ids of their SOPs. Missing and damaged texts are left out. */
  texts: ReadonlyMap<string, StoredText>;
  /** Existing SOPs that the user can't see. */
  hidden: ReadonlySet<string>;
  /** SOPs whose record can't be read. */
  damaged: ReadonlySet<string>;
  /** The ids of users, by username. */
  people: ReadonlyMap<string, string>;
  /** The usernames of all people with the name of a file's owner. */
  usernames: ReadonlyMap<string, readonly string[]>;
  /** The ids of teams, by slug. */
  teams: ReadonlyMap<string, string>;
}

/**
 * Loads the records of earlier imports with the key, the bytes or the path of one of these documents, the oldest first.
 */
export async function loadImportRecords(
  { db }: Pick<Services, "db">,
  { companyId, userId }: Actor,
  documents: readonly ReadDocument[],
): Promise<readonly SopSourceDocument[]> {
  const keys = documents.flatMap((document) => possibleImportKeys(document, userId));
  const [hashes, paths] = [documents.map(({ sha256 }) => sha256), documents.map(({ path }) => path)];
  return await db
    .forCompany(companyId)
    .collection("sop_sources")
    .find(
      { $or: [{ key: { $in: keys } }, { sha256: { $in: hashes } }, { path: { $in: paths } }] },
      { sort: { at: 1 } },
    );
}

/**
 * Loads the stored data about all documents in a few queries.
 *
 * @param before the result of `loadImportRecords` for these documents, SOPs that were loaded already, and the ids of
 * the SOPs whose files the documents were
 */
export async function loadStoredData(
  { db }: Pick<Services, "db">,
  { actor }: Identity,
  documents: readonly ReadDocument[],
  {
    sources,
    loaded,
    idsBefore,
  }: { sources: readonly SopSourceDocument[]; loaded: readonly SopDocument[]; idsBefore: readonly string[] },
): Promise<StoredData> {
  const company = db.forCompany(actor.companyId);
  const byKey = new Map(sources.map((source) => [source.key, source]));
  const keys = documents.flatMap((document) => keysWithCopy(document, actor.userId));
  const reserved = await company.collection("reserved_numbers").find({ key: { $in: keys } });
  const ids = documents.flatMap(({ content }) => (isId(content?.frontMatter.id) ? [content.frontMatter.id] : []));
  const likely = documents.flatMap((document) => document.likely?.sopId ?? []);
  const wanted = [...new Set([...ids, ...idsBefore, ...likely, ...sources.map(({ sopId }) => sopId)])];
  const isLoaded = new Set(loaded.map(({ _id }) => _id));
  const stored = [
    ...loaded,
    ...(await loadExistingSops(
      company,
      wanted.filter((id) => !isLoaded.has(id)),
    )),
  ];
  const found = new Set(stored.map(({ _id }) => _id));
  const sops = new Map<string, ImportVisibleSop>();
  const hidden = new Set<string>();
  for (const sop of stored) {
    const view = visibleVersion(actor, sop);
    if (view === "nothing") hidden.add(sop._id);
    else sops.set(sop._id, { sop, view, version: versionNumberInView(sop, view), title: titleInView(sop, view) });
  }
  const byContent = new Map<string, SopSourceDocument[]>();
  for (const source of sources) {
    const seen = sops.get(source.sopId);
    // another user's copy isn't the SOP of this user's file
    if (isOfOtherUser(source, actor.userId)) continue;
    // a match with a draft's text would reveal the draft
    if (!seen || !mayReadVersion(actor, seen.sop, source.version)) continue;
    byContent.set(source.sha256, [...(byContent.get(source.sha256) ?? []), source]);
  }
  const namesInFiles = (key: "owner" | "team") => documents.flatMap(({ content }) => content?.frontMatter[key] ?? []);
  const distinctNames = (key: "owner" | "team") => [...new Set(namesInFiles(key).map((name) => name.toLowerCase()))];
  const users = await company.collection("users").find({
    $or: [{ username: { $in: distinctNames("owner") } }, { name: { $in: [...new Set(namesInFiles("owner"))] } }],
    status: "active",
  });
  const teams = await company.collection("teams").find({ slug: { $in: distinctNames("team") } });
  const ofKeys = documents.flatMap((document) =>
    document.content === null ? [] : keysWithCopy(document, actor.userId).flatMap((key) => byKey.get(key)?.sopId ?? []),
  );
  const texts = await loadStoredTexts(
    company,
    [...new Set([...ids, ...likely, ...ofKeys])].flatMap((id) => {
      const seen = sops.get(id);
      return seen === undefined ? [] : [{ sopId: id, version: seen.version }];
    }),
  );
  const byName = Map.groupBy(users, ({ name }) => name);
  return {
    byKey,
    byContent,
    reserved,
    sops,
    texts,
    hidden,
    damaged: await findDamagedSopIds(
      company,
      wanted.filter((id) => !found.has(id)),
    ),
    people: new Map(users.map((user) => [user.username, user._id])),
    usernames: new Map([...byName].map(([name, all]) => [name, all.map(({ username }) => username).toSorted()])),
    teams: new Map(teams.map((team) => [team.slug, team._id])),
  };
}

/** Loads those of these SOPs that aren't deleted. */
export async function loadExistingSops(
  company: CompanyStore<Collections>,
  ids: readonly string[],
): Promise<readonly SopDocument[]> {
  if (ids.length === 0) return [];
  return await company.collection("sops").find({ _id: { $in: [...new Set(ids)] }, deletedAt: null });
}

/** Loads the text of one version of each SOP, by the SOP's id. Leaves out a text that is missing or damaged. */
export async function loadStoredTexts(
  company: CompanyStore<Collections>,
  versions: readonly { sopId: string; version: number }[],
): Promise<ReadonlyMap<string, StoredText>> {
  if (versions.length === 0) return new Map();
  const wanted = new Map(versions.map(({ sopId, version }) => [sopId, version]));
  const projection = {
    sopId: 1,
    frontMatter: 1,
    markdown: 1,
    sopLinks: 1,
    assets: 1,
    version: 1,
    changedBy: 1,
    writers: 1,
  } as const;
  const found = await company
    .collection("sop_versions")
    .find({ sopId: { $in: [...wanted.keys()] }, version: { $in: [...new Set(wanted.values())] } }, { projection });
  return new Map(found.flatMap((one) => (one.version === wanted.get(one.sopId) ? [[one.sopId, one] as const] : [])));
}

/**
 * Finds the reservation for a document, by this import or by an earlier import that ended before it created the
 * document.
 */
export function findReservation(
  rows: readonly ReservedNumberDocument[],
  { importId }: Pick<ImportRequest, "importId">,
  key: string,
  title: string | undefined,
): ReservedNumberDocument | undefined {
  const own = rows.filter((row) => row.key === key);
  return own.find((row) => row.importId === importId) ?? own.find((row) => row.title === title);
}

export const pathKey = (path: string) => `path:${path}`;
const idKey = (id: string) => `id:${id}`;
/**
 * Returns the form of a key for this user alone. A copy has such a key, and so has a document whose shared key belongs
 * to an SOP that this user can't see.
 */
const userImportKey = (userId: string, key: string) => `user:${userId}:${key}`;
const isOfOtherUser = ({ key }: SopSourceDocument, userId: string) =>
  key.startsWith("user:") && !key.startsWith(userImportKey(userId, ""));

/**
 * Returns the key of the copy that a document became, for the document's user alone. It counts before the shared key.
 * The key contains the id, version and path, so that other files with the id, and later exports to the path, are still files
 * of the copied SOP.
 */
export function copyKey(userId: string, document: ReadDocument, sopId: string | undefined): string {
  return userImportKey(userId, sharedImportKey(sopId === undefined ? document : asFileOfCopy(document, sopId)));
}

/** Returns the document as the file of a copy of the SOP that its id or number names. */
export function asFileOfCopy({ by, baseVersion, ...document }: ReadDocument, sopId: string): ReadDocument {
  if (!document.content) return document;
  const { id: _id, sop: _sop, version = baseVersion, ...frontMatter } = document.content.frontMatter;
  // the version in a file of another server counts only on that server
  const isOfSop = version !== undefined && by !== "number beside another id";
  const copyOf = isOfSop ? `${sopId}@${version}` : sopId;
  return { ...document, content: { ...document.content, frontMatter }, copyOf };
}

function sharedImportKey({ path, content, copyOf }: ReadDocument): string {
  if (copyOf !== undefined) return `copy:${copyOf}:${pathKey(path)}`;
  const id = content?.frontMatter.id;
  return id === undefined ? pathKey(path) : idKey(id);
}

/** Returns the two keys under which an import can remember the document: for all users, and for this user alone. */
export function possibleImportKeys(document: ReadDocument, userId: string): [shared: string, own: string] {
  const key = sharedImportKey(document);
  return [key, userImportKey(userId, key)];
}

function keysWithCopy(document: ReadDocument, userId: string): string[] {
  const id = document.content?.frontMatter.id;
  return [...possibleImportKeys(document, userId), ...(id === undefined ? [] : [copyKey(userId, document, id)])];
}

/**
 * Returns the record that earlier imports stored for this document, of an SOP that the user can see. The user's own
 * record comes before the shared record, unless only the shared record has the bytes of the document.
 */
export function findReadableSource(
  document: ReadDocument,
  userId: string,
  byKey: ReadonlyMap<string, SopSourceDocument>,
  readable: ReadonlyMap<string, unknown>,
): SopSourceDocument | undefined {
  const [shared, own] = possibleImportKeys(document, userId).map((key) => {
    const source = byKey.get(key);
    return readable.has(source?.sopId ?? "") ? source : undefined;
  });
  const { sha256 } = document;
  return shared?.sha256 === sha256 && own?.sha256 !== sha256 ? shared : (own ?? shared);
}

/** Returns the key under which an import remembers this document. */
export function importKeyOf(document: ReadDocument, userId: string, known: StoredData): string {
  const [key, ownKey] = possibleImportKeys(document, userId);
  const source = findReadableSource(document, userId, known.byKey, known.sops);
  if (source?.key === ownKey) return ownKey;
  const isTaken =
    known.hidden.has(known.byKey.get(key)?.sopId ?? "") || known.hidden.has(document.content?.frontMatter.id ?? "");
  return isTaken ? ownKey : key;
}

function titleInView(sop: SopDocument, view: View): string {
  return view === "published" && sop.published ? sop.published.title : sop.title;
}
