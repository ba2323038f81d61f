/** What each document of an import becomes: keyed on its id, else on its path; never an overwrite. */
import { can } from "#core/access/can.ts";
import { isId } from "#core/ids.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import { decideImport } from "#core/sops/import-rules.ts";
import type { ImportOutcome, ImportRequest } from "#core/sops/import-schema.ts";
import type { SopDocument, SopSourceDocument } from "../database/documents.ts";
import type { Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { ImportNote, ReadDocument } from "./import-read.ts";
import { sameText, type SopRelations, type SopText } from "./steps.ts";
import { viewOf } from "./visible.ts";

export interface Decided {
  path: string;
  sha256: string;
  key: string;
  outcome: ImportOutcome;
  reason?: string;
  notes: ImportNote[];
  title?: string;
  /** The SOP it is, or would be the next version of. */
  sop: SopDocument | null;
  version?: number;
  /** What an import before left under this key, as it stood when this was decided. */
  source: SopSourceDocument | null;
  /** Set where something is to be written. */
  text?: SopText;
  relations?: SopRelations;
}

interface Known {
  byKey: ReadonlyMap<string, SopSourceDocument>;
  byContent: ReadonlyMap<string, readonly SopSourceDocument[]>;
  sops: ReadonlyMap<string, SopDocument>;
  people: ReadonlyMap<string, string>;
  teams: ReadonlyMap<string, string>;
}

export async function decideDocuments(
  services: Services,
  identity: Identity,
  request: ImportRequest,
  documents: readonly ReadDocument[],
): Promise<Decided[]> {
  const known = await loadKnown(services, identity, documents);
  const decided: Decided[] = [];
  for (const document of documents) {
    const one = await decideOne(services, identity, request, document, known, decided);
    decided.push({ ...one, source: known.byKey.get(one.key) ?? null });
  }
  return decided;
}

/** Everything that the decisions look at, in a handful of queries for all documents. */
async function loadKnown({ db }: Services, { actor }: Identity, documents: readonly ReadDocument[]): Promise<Known> {
  const company = db.forCompany(actor.companyId);
  const sources = await company.collection("sop_sources").find({
    $or: [{ key: { $in: documents.flatMap(keysOf) } }, { sha256: { $in: documents.map(({ sha256 }) => sha256) } }],
  });
  const ids = documents.flatMap(({ content }) => (isId(content?.frontMatter.id) ? [content.frontMatter.id] : []));
  const sops = await company
    .collection("sops")
    .find({ _id: { $in: [...new Set([...ids, ...sources.map(({ sopId }) => sopId)])] }, deletedAt: null });
  const names = (key: "owner" | "team") => [
    ...new Set(documents.flatMap(({ content }) => content?.frontMatter[key]?.toLowerCase() ?? [])),
  ];
  const users = await company.collection("users").find({ username: { $in: names("owner") }, status: "active" });
  const teams = await company.collection("teams").find({ slug: { $in: names("team") } });
  const byContent = new Map<string, SopSourceDocument[]>();
  for (const source of sources) byContent.set(source.sha256, [...(byContent.get(source.sha256) ?? []), source]);
  return {
    byKey: new Map(sources.map((source) => [source.key, source])),
    byContent,
    sops: new Map(sops.map((sop) => [sop._id, sop])),
    people: new Map(users.map((user) => [user.username, user._id])),
    teams: new Map(teams.map((team) => [team.slug, team._id])),
  };
}

const pathKey = (path: string) => `path:${path}`;
const idKey = (id: string) => `id:${id}`;

function keysOf({ path, content }: ReadDocument): string[] {
  const id = content?.frontMatter.id;
  return id === undefined ? [pathKey(path)] : [pathKey(path), idKey(id)];
}

async function decideOne(
  services: Services,
  identity: Identity,
  request: ImportRequest,
  document: ReadDocument,
  known: Known,
  earlier: readonly Decided[],
): Promise<Omit<Decided, "source">> {
  const { path, sha256, content } = document;
  const common = { path, sha256, notes: document.notes, sop: null };
  if (document.unreadable !== null) {
    return { ...common, key: pathKey(path), outcome: "refused", reason: document.unreadable };
  }
  if (!content) return { ...common, ...decideByHash(document, known) };

  const id = content.frontMatter.id;
  const key = id === undefined ? pathKey(path) : idKey(id);
  const title = content.frontMatter.title ?? path;
  const twin = id === undefined ? undefined : earlier.find((other) => other.key === key);
  const source = known.byKey.get(key);
  if (twin)
    return {
      ...common,
      key,
      title,
      outcome: "refused",
      reason: `It has the same id as ${twin.path}: give one of them another id`,
    };
  if (id !== undefined && source && source.importId === request.importId && source.path !== path) {
    return {
      ...common,
      key,
      title,
      outcome: "refused",
      reason: `It has the same id as ${source.path}: give one of them another id`,
    };
  }

  const own = isId(id) ? known.sops.get(id) : undefined;
  const sop = own ?? (source ? known.sops.get(source.sopId) : undefined) ?? null;
  if (sop && viewOf(identity.actor, sop) === "nothing") {
    return { ...common, key, title, outcome: "refused", reason: "You don't have permission to change this SOP" };
  }
  const { text, relations, notes } = adopt(document, content, identity, known);
  const about = { ...common, key, title, notes, text, relations, sop };
  if (!sop) {
    const copy = twinOf(document, key, known, earlier);
    if (copy) return { ...about, outcome: "duplicate", reason: `It has the same content as ${copy}` };
    return { ...about, outcome: "create", version: 1 };
  }
  // an id we gave carries its base version; any other source remembers what the import before left
  const base = own ? (content.frontMatter.version ?? source?.version ?? null) : (source?.version ?? null);
  const target = {
    version: sop.version,
    sameAsHead: source?.sha256 === sha256 || (await says(services, sop, sop.version, text)),
    sameAsBase: base !== null && base !== sop.version && (await says(services, sop, base, text)),
  };
  const { outcome } = decideImport(target, base);
  if (outcome === "unchanged") return { ...about, outcome };
  if (outcome === "update" || request.onConflict === "theirs") {
    if (!can(identity.actor, "sop.edit", sop))
      return { ...about, outcome: "refused", reason: "You don't have permission to change this SOP" };
    if (sop.status === "archived")
      return { ...about, outcome: "refused", reason: "This SOP is archived: unarchive it before you change it" };
    return { ...about, outcome: "update", version: sop.version + 1 };
  }
  const copyKey = `${key}#${sha256.slice(0, 12)}`;
  const copy = known.sops.get(known.byKey.get(copyKey)?.sopId ?? "");
  if (copy) return { ...about, key: copyKey, sop: copy, outcome: "unchanged" };
  if (request.onConflict === "copy") return { ...about, key: copyKey, sop: null, outcome: "create", version: 1 };
  const since = base === null ? "it was changed here" : `the file is based on version ${base}`;
  return {
    ...about,
    outcome: "conflict",
    reason: `The SOP is at version ${sop.version}, ${since}: merge them, or choose --on-conflict theirs or copy`,
  };
}

/** Without its text a document is known by its hash alone, or not at all. */
function decideByHash(
  { path, sha256 }: ReadDocument,
  known: Known,
): Pick<Decided, "key" | "outcome"> & Partial<Omit<Decided, "source">> {
  const same = known.byContent.get(sha256)?.find((source) => source.path === path && known.sops.has(source.sopId));
  const sop = same ? (known.sops.get(same.sopId) ?? null) : null;
  return same && sop
    ? { key: same.key, outcome: "unchanged", sop, title: sop.title }
    : { key: pathKey(path), outcome: "unknown" };
}

/** The same bytes under another name, imported before or in this request. */
function twinOf({ sha256 }: ReadDocument, key: string, known: Known, earlier: readonly Decided[]): string | null {
  const before = known.byContent.get(sha256)?.find((source) => source.key !== key && known.sops.has(source.sopId));
  if (before) return before.path;
  return earlier.find((other) => other.sha256 === sha256 && other.outcome === "create")?.path ?? null;
}

async function says({ db }: Services, sop: SopDocument, version: number, text: SopText): Promise<boolean> {
  const stored = await db
    .forCompany(sop.companyId)
    .collection("sop_versions")
    .findOne({ sopId: sop._id, version }, { projection: { frontMatter: 1, markdown: 1 } });
  return stored !== null && sameText({ frontMatter: stored.frontMatter, markdown: stored.markdown }, text);
}

/** Names in the file become people and teams of this company; an unknown one is kept under `x-` and reported. */
function adopt(
  document: ReadDocument,
  content: NonNullable<ReadDocument["content"]>,
  { user }: Identity,
  known: Known,
) {
  const notes = [...document.notes];
  const frontMatter: FrontMatter = { ...content.frontMatter };
  const owner = frontMatter.owner?.toLowerCase();
  const ownerId = owner === undefined ? undefined : known.people.get(owner);
  if (frontMatter.owner !== undefined && ownerId === undefined) {
    frontMatter["x-owner"] = frontMatter.owner;
    notes.push({
      code: "owner-unknown",
      message: `The owner ${frontMatter.owner} is not a user here: you are the owner, the name is kept as x-owner`,
    });
  }
  frontMatter.owner = ownerId === undefined ? user.username : (owner ?? user.username);
  const team = frontMatter.team?.toLowerCase();
  const teamId = team === undefined ? undefined : known.teams.get(team);
  if (frontMatter.team !== undefined) {
    if (teamId === undefined) {
      frontMatter["x-team"] = frontMatter.team;
      delete frontMatter.team;
      notes.push({
        code: "team-unknown",
        message: `The team ${frontMatter["x-team"]} is not known here: its name is kept as x-team`,
      });
    } else {
      frontMatter.team = team ?? frontMatter.team;
    }
  }
  const relations = { ownerId: ownerId ?? user._id, teamId: teamId ?? null };
  return { text: { frontMatter, markdown: content.markdown }, relations, notes };
}
