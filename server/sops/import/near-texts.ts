/** Compares the texts of documents without number and id with stored texts that can be near. */
import type { Actor } from "#core/permissions/actor.ts";
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { linkedSopIds, withoutAddresses, withStoredSopLinks } from "#core/markdown/neutral-links.ts";
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { slugify } from "#core/repository/slugs.ts";
import { isSameTitle } from "#core/sops/import-rules.ts";
import { closestText, relationToSopAtPath, nearestTexts, type Likeness } from "#core/sops/likeness.ts";
import type { Collections, SopDocument, SopSourceDocument, SopVersionDocument } from "../../database/documents.ts";
import type { CompanyStore } from "../../database/port.ts";
import { isSameText } from "../edit/version-of.ts";
import { versionNumberInView } from "../view/present.ts";
import { withoutDetectedLanguage } from "./identity-keys.ts";
import type { ReadDocument } from "./read.ts";
import { loadExistingSops } from "./stored-data.ts";

export type DocumentWithoutIdentity = ReadDocument & { content: NonNullable<ReadDocument["content"]> };

/** The SOPs with the nearest text, and the way in which it is near. */
export interface NearSops {
  likeness: Likeness;
  /** Empty for a document that resembles neither the SOP of its path nor another SOP. */
  sops: readonly SopDocument[];
}

/** SOPs and records of imports that were loaded already. */
interface Loaded {
  loaded: readonly SopDocument[];
  sources: readonly SopSourceDocument[];
}

/**
 * The maximum number of SOPs that a document is compared with: the most similar SOPs, and those with the same title.
 */
const sopsAtMost = 40;
const titledAtMost = 500;
/** The maximum number of versions of an SOP that have equally many marks of a document. */
const versionsOfSop = 3;

/** The number of texts to compare with that are collected before they are read together. */
const textsAtOnce = 200;

/**
 * Finds the SOPs whose texts are nearest to these documents, in a version that the user can read.
 *
 * @param remembered the SOPs that earlier imports made from files at the documents' paths
 * @returns the SOPs by document. Leaves out a document that is still the SOP of its path, and one that no SOP is near
 * to
 */
export async function findNearTexts(
  company: CompanyStore<Collections>,
  actor: Actor,
  documents: readonly DocumentWithoutIdentity[],
  { remembered, ...before }: Loaded & { remembered: ReadonlyMap<ReadDocument, SopDocument>; importId: string },
): Promise<ReadonlyMap<ReadDocument, NearSops>> {
  const near = new Map<ReadDocument, NearSops>();
  if (documents.length === 0) return near;
  const known = await loadComparableSops(company, actor, documents, before);
  let waiting: { document: DocumentWithoutIdentity; versions: readonly VersionName[] }[] = [];
  const compareWaiting = async () => {
    const texts = await readTexts(
      company,
      waiting.flatMap(({ versions }) => versions),
    );
    for (const { document, versions } of waiting) {
      const own = texts.filter(({ sopId, version }) =>
        versions.some((one) => one.sopId === sopId && one.version === version),
      );
      const found = compareDocument(document, own, known, remembered.get(document));
      if (found !== null) near.set(document, found);
    }
    waiting = [];
  };
  for (const document of documents) {
    waiting.push({ document, versions: versionsToCompare(actor, document, known, remembered.get(document)) });
    if (waiting.reduce((sum, { versions }) => sum + versions.length, 0) >= textsAtOnce) await compareWaiting();
  }
  await compareWaiting();
  return near;
}

interface ComparableSops {
  readable: ReadonlyMap<string, SopDocument>;
  candidates: readonly MarkedVersion[];
  marksOf: ReadonlyMap<ReadDocument, ReadonlySet<string>>;
  sourcesOf: ReadonlyMap<string, readonly SopSourceDocument[]>;
  /**
   * The first version of each SOP that this import made. The files of an import are compared with the versions before
   * it.
   */
  madeNow: ReadonlyMap<string, number>;
}

async function loadComparableSops(
  company: CompanyStore<Collections>,
  actor: Actor,
  documents: readonly DocumentWithoutIdentity[],
  { loaded, sources: known, importId }: Loaded & { importId: string },
): Promise<ComparableSops> {
  const titles = [...new Set(documents.flatMap(({ content }) => content.frontMatter.title ?? []))];
  const linked = documents.flatMap(({ content }) => linkedSopIds(content.markdown));
  const byTitle = await company.collection("sops").find(
    // titles that differ in capitals or spaces have the same slug
    { $or: [{ title: { $in: titles } }, { slug: { $in: titles.map(slugify) } }, { _id: { $in: linked } }] },
    { projection: { _id: 1, label: 1 }, limit: titledAtMost + linked.length },
  );
  const numbers = new Map(byTitle.map(({ _id, label }) => [_id, label]));
  const marksOf = new Map<ReadDocument, ReadonlySet<string>>(
    documents.map((document) => [
      document,
      new Set(sequenceHashesOf(withStoredSopLinks(document.content.markdown, numbers))),
    ]),
  );
  const versions = await findVersionsWithMarks(company, new Set([...marksOf.values()].flatMap((marks) => [...marks])));
  const ids = new Set([...versions.map(({ sopId }) => sopId), ...byTitle.map(({ _id }) => _id)]);
  const isLoaded = new Set(loaded.map(({ _id }) => _id));
  const missing = [...ids].filter((id) => !isLoaded.has(id));
  const sops = [...loaded, ...(await loadExistingSops(company, missing))].filter(({ _id }) => ids.has(_id));
  const sources =
    missing.length === 0 ? known : await company.collection("sop_sources").find({ sopId: { $in: [...ids] } });
  const madeNow = new Map(
    sources.flatMap(({ sopId, imported }) =>
      imported?.importId === importId ? [[sopId, imported.version] as const] : [],
    ),
  );
  const readable = readableSopsById(
    actor,
    sops.filter(({ _id }) => madeNow.get(_id) !== 1),
  );
  const candidates = versions.filter(({ sopId, version }) => {
    const sop = readable.get(sopId);
    return sop !== undefined && mayReadVersion(actor, sop, version) && version < (madeNow.get(sopId) ?? Infinity);
  });
  return { readable, candidates, marksOf, sourcesOf: Map.groupBy(sources, ({ sopId }) => sopId), madeNow };
}

type VersionName = Pick<SopVersionDocument, "sopId" | "version">;

/** Lists the versions of each SOP that can be near to a document, and of the SOP of its path. */
function versionsToCompare(
  actor: Actor,
  document: DocumentWithoutIdentity,
  { readable, candidates, marksOf, madeNow }: ComparableSops,
  own: SopDocument | undefined,
): readonly VersionName[] {
  const { frontMatter } = document.content;
  // only a template is compared with templates, because documents written from a template have its lines
  const isComparable = (sop: SopDocument | undefined) =>
    sop !== undefined && (sop._id === own?._id || sop.isTemplate === (frontMatter.template === true));
  const similar = nearestVersions(
    { marks: marksOf.get(document) ?? new Set(), title: frontMatter.title },
    candidates.filter(({ sopId }) => isComparable(readable.get(sopId))),
    readable,
  );
  const sameTitle = [...readable.values()].filter(
    (sop) => isSameTitle(sop.title, frontMatter.title) && isComparable(sop),
  );
  const named = [...(own ? [own] : []), ...sameTitle.slice(0, sopsAtMost)].map((sop) => {
    const view = visibleVersion(actor, sop);
    const before = sop._id === own?._id ? Infinity : (madeNow.get(sop._id) ?? Infinity) - 1;
    return { sopId: sop._id, version: view === "nothing" ? 0 : Math.min(versionNumberInView(sop, view), before) };
  });
  const found = new Set(similar.map(({ sopId }) => sopId));
  return [...similar, ...named.filter(({ sopId }) => !found.has(sopId))];
}

/**
 * Compares a document with the texts of the versions that can be near.
 * @param own the SOP that an earlier import made from the path of the document
 */
function compareDocument(
  document: DocumentWithoutIdentity,
  versions: readonly StoredVersion[],
  { readable, sourcesOf }: ComparableSops,
  own: SopDocument | undefined,
): NearSops | null {
  const { frontMatter } = withoutDetectedLanguage(document).content ?? document.content;
  const markdown = withoutAddresses(document.content.markdown);
  const hasOwnTitle = !document.notes.some(({ code }) => code === "title-from-name");
  const name = fileNameForComparison(document.path);
  const file = { title: frontMatter.title, markdown, hasOwnTitle };
  const texts = [...Map.groupBy(versions, ({ sopId }) => sopId).values()].flatMap((ofSop) => {
    const text = closestText(file, ofSop);
    if (text === undefined) return [];
    const sop = text.sopId === own?._id ? own : readable.get(text.sopId);
    if (sop === undefined) return [];
    const names = [sop.slug, ...(sourcesOf.get(sop._id) ?? []).map(({ path }) => fileNameForComparison(path))];
    const hasSameName = !namesOfAny.test(name) && names.includes(name);
    const { description } = text.frontMatter;
    const hasSameDescription = Boolean(description) && description === frontMatter.description;
    const isEqual = isSameText(text, { frontMatter, markdown });
    return [{ sop, title: text.title, markdown: text.markdown, hasSameName, hasSameDescription, isEqual }];
  });
  const ofPath = texts.find(({ sop }) => sop === own);
  if (ofPath === undefined) {
    const found = nearestTexts(file, texts);
    return found && { likeness: found.likeness, sops: found.nearest.map(({ sop }) => sop) };
  }
  const others = texts.filter((text) => text !== ofPath);
  const found = relationToSopAtPath(file, ofPath, others);
  if (found.is === "its SOP") return null;
  if (found.is === "another document") return { likeness: "some lines", sops: [] };
  return { likeness: found.likeness, sops: found.nearest.map(({ sop }) => sop) };
}

/** File names that say nothing about their document. */
const namesOfAny = /^(?:_?index|readme)$/;

/** Returns the name of a file in lower case, without its folders and without `.md` or `.markdown`. */
export function fileNameForComparison(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/\.(?:md|markdown)$/, "");
}

/** Returns those of these SOPs that the actor can see, by id. */
export function readableSopsById(actor: Actor, sops: readonly SopDocument[]): ReadonlyMap<string, SopDocument> {
  return new Map(sops.filter((sop) => visibleVersion(actor, sop) !== "nothing").map((sop) => [sop._id, sop]));
}

type MarkedVersion = Pick<SopVersionDocument, "sopId" | "version" | "title" | "textMarks">;
type StoredVersion = Pick<SopVersionDocument, "sopId" | "version" | "title" | "markdown" | "frontMatter">;

const versionsAtMost = 500;
const versionsOfMark = 10;

/**
 * Finds versions that share marks of their texts. A mark that very many versions have doesn't displace versions with
 * rarer marks.
 */
export async function findVersionsWithMarks(
  company: CompanyStore<Collections>,
  marks: ReadonlySet<string>,
): Promise<readonly MarkedVersion[]> {
  if (marks.size === 0) return [];
  const projection = { sopId: 1, version: 1, title: 1, textMarks: 1 } as const;
  const read = (some: readonly string[], limit: number) =>
    company.collection("sop_versions").find({ textMarks: { $in: [...some] } }, { projection, limit });
  const all = await read([...marks], versionsAtMost);
  if (all.length < versionsAtMost) return all;
  const each = new Map<string, MarkedVersion>();
  for (const mark of marks)
    for (const one of await read([mark], versionsOfMark)) each.set(`${one.sopId} ${one.version}`, one);
  return [...each.values()];
}

/**
 * Chooses versions of each similar SOP: the versions with the most marks of the document. Of those, versions with its
 * title, published versions and the newest come first.
 */
function nearestVersions(
  { marks, title }: { marks: ReadonlySet<string>; title: string | undefined },
  versions: readonly MarkedVersion[],
  sops: ReadonlyMap<string, SopDocument>,
): readonly MarkedVersion[] {
  const rated = versions.flatMap((one) => {
    const shared = one.textMarks.filter((mark) => marks.has(mark)).length;
    const isTitled = isSameTitle(one.title, title);
    const isPublished = sops.get(one.sopId)?.published?.version === one.version;
    return shared === 0 ? [] : [{ one, shared, rank: Number(isTitled) * 2 + Number(isPublished) }];
  });
  rated.sort((a, b) => b.shared - a.shared || b.rank - a.rank || b.one.version - a.one.version);
  const bySop = [...Map.groupBy(rated, ({ one }) => one.sopId).values()].slice(0, sopsAtMost);
  return bySop.flatMap((all) => {
    const most = all[0]?.shared;
    return all.filter(({ shared }, at) => shared === most && at < versionsOfSop).map(({ one }) => one);
  });
}

/** Reads the texts of these versions without the addresses of links, the oldest SOP first. */
async function readTexts(
  company: CompanyStore<Collections>,
  versions: readonly VersionName[],
): Promise<readonly StoredVersion[]> {
  if (versions.length === 0) return [];
  const wanted = Map.groupBy(versions, ({ sopId }) => sopId);
  const found = await company
    .collection("sop_versions")
    .find(
      { sopId: { $in: [...wanted.keys()] }, version: { $in: [...new Set(versions.map(({ version }) => version))] } },
      { projection: { sopId: 1, version: 1, title: 1, markdown: 1, frontMatter: 1 } },
    );
  return found
    .filter(({ sopId, version }) => wanted.get(sopId)?.some((one) => one.version === version))
    .map((text) => ({ ...text, markdown: withoutAddresses(text.markdown) }))
    .sort((one, other) => (one.sopId < other.sopId ? -1 : 1));
}
