/**
 * Finds the SOPs of files that lost `sop` and `id`: by their path, by the name of an exported file, or by their text.
 * Without this, each such file would become a second SOP.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { numbersInFileName } from "#core/markdown/sop-links.ts";
import { mayReadVersion, visibleVersion } from "#core/permissions/can.ts";
import { slugify } from "#core/repository/slugs.ts";
import { isSameTitle } from "#core/sops/import-rules.ts";
import { nearestTexts, type Likeness } from "#core/sops/likeness.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";
import { listText } from "#core/language/formats.ts";
import type { Collections, SopDocument, SopVersionDocument } from "../../database/documents.ts";
import type { CompanyStore } from "../../database/port.ts";
import type { Services } from "../../http/services.ts";
import { isSameText } from "../edit/version-of.ts";
import { seenSops } from "../links/titles.ts";
import { versionSeen } from "../view/present.ts";
import { withoutDetected } from "./identity-keys.ts";
import type { ReadDocument } from "./read.ts";
import { possibleImportKeys } from "./stored-data.ts";

type Content = NonNullable<ReadDocument["content"]>;
type LostDocument = ReadDocument & { content: Content };

/** A file that chooses a number for a new SOP says that it is one. */
function hasNoIdentity(document: ReadDocument): document is LostDocument {
  const { sop, id, number } = document.content?.frontMatter ?? {};
  return document.content !== null && sop === undefined && id === undefined && number === undefined;
}

/** Adds the likely SOPs of documents that have no number and no id, and that no earlier import remembers. */
export async function withLikelySops(
  services: Pick<Services, "db">,
  actor: Actor,
  { importId, documents }: { importId: string; documents: readonly ReadDocument[] },
): Promise<readonly ReadDocument[]> {
  const lost = documents.filter(hasNoIdentity);
  if (lost.length === 0) return documents;
  const company = services.db.forCompany(actor.companyId);
  const { remembered, byPath } = await sopsOfPaths(company, actor, lost);
  const unknown = lost.filter((document) => !remembered.has(document));
  const byName = await sopsOfFileNames(services, actor, unknown);
  const near = await sopsOfTexts(company, actor, unknown, importId);
  const ids = new Set(documents.map(({ content }) => content?.frontMatter.id));
  const isLost = new Set<ReadDocument>(unknown);
  return documents.map((document) => {
    const known = isLost.has(document) ? (byPath.get(document.path) ?? byName.get(document.path)) : undefined;
    // the file of the SOP can be elsewhere now, so this one can be new
    const named = known !== undefined && !ids.has(known._id) ? known : undefined;
    return { ...document, ...seemingSop(document, named, near.get(document)) };
  });
}

/** @param named the SOP whose file had the path or name of the document */
function seemingSop(
  document: ReadDocument,
  named: SopDocument | undefined,
  near: NearSops | undefined,
): Pick<ReadDocument, "likely"> | Pick<ReadDocument, "notes"> {
  const [first] = near?.sops ?? [];
  const labels = near?.sops.map(({ label }) => label) ?? [];
  const note = near === undefined ? null : noteOf(near.likeness, labels);
  const isNear = near !== undefined && first !== undefined && note === null;
  if (named !== undefined && (!isNear || near.sops.some(({ _id }) => _id === named._id)))
    return { likely: { sopId: named._id, by: "path" } };
  if (note !== null) return { notes: [...document.notes, note] };
  if (!isNear) return {};
  const likely = { sopId: first._id, by: "text" as const };
  // a file can have the path of one SOP and the text and fields of another one
  if (named !== undefined && near.likeness !== "equal")
    return { likely: { ...likely, equallyNear: labels, namedAs: named.label } };
  return { likely: { ...likely, ...(labels.length > 1 && { equallyNear: labels }) } };
}

/** The SOPs with the nearest text, and the way in which it is near. */
interface NearSops {
  likeness: Likeness;
  sops: readonly SopDocument[];
}

/** The note on a new document that is near to SOPs. Null if the document seems to be one of them. */
function noteOf(likeness: Likeness, labels: readonly string[]): ImportNote | null {
  const numbers = listText(labels.slice(0, labelsAtMost));
  if (likeness === "title") return { code: "near-sop", message: `It has the title of ${numbers}` };
  return likeness === "some lines" ? { code: "near-sop", message: `It resembles ${numbers}` } : null;
}

const labelsAtMost = 5;

/** The SOPs that earlier imports made from files at these paths. */
async function sopsOfPaths(company: CompanyStore<Collections>, actor: Actor, lost: readonly LostDocument[]) {
  const keysOf = (document: LostDocument) => possibleImportKeys(document, actor.userId);
  const stored = company.collection("sop_sources");
  const byKey = await stored.find({ key: { $in: lost.flatMap(keysOf) } });
  const atPath = await stored.find({ path: { $in: lost.map(({ path }) => path) } }, { sort: { at: 1 } });
  const sources = [...byKey, ...atPath];
  const readable = await readableSops(
    company,
    actor,
    sources.map(({ sopId }) => sopId),
  );
  const known = sources.filter(({ sopId }) => readable.has(sopId));
  const keys = new Set(known.map(({ key }) => key));
  return {
    remembered: new Set(lost.filter((document) => keysOf(document).some((key) => keys.has(key)))),
    byPath: new Map(known.map(({ path, sopId }) => [path, readable.get(sopId)])),
  };
}

/** The SOPs whose files have these names in the repository and in exports: the number and the slug are theirs. */
async function sopsOfFileNames(
  services: Pick<Services, "db">,
  actor: Actor,
  lost: readonly LostDocument[],
): Promise<ReadonlyMap<string, SopDocument>> {
  const names = lost.map(({ path }) => ({ path, names: numbersInFileName(nameWithoutEnding(path)) }));
  const seen = await seenSops(
    services,
    actor,
    names.flatMap((one) => one.names.map(({ number }) => number)),
  );
  return new Map(
    names.flatMap(({ path, names: readings }) => {
      const found = readings.flatMap(({ number, slug }) => {
        const sop = seen.get(number)?.sop;
        return sop?.slug === slug && sop.deletedAt === null ? [sop] : [];
      });
      return found.slice(0, 1).map((sop) => [path, sop] as const);
    }),
  );
}

function nameWithoutEnding(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/\.(?:md|markdown)$/, "");
}

async function readableSops(
  company: CompanyStore<Collections>,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SopDocument>> {
  if (ids.length === 0) return new Map();
  const found = await company.collection("sops").find({ _id: { $in: [...new Set(ids)] }, deletedAt: null });
  return new Map(found.filter((sop) => visibleVersion(actor, sop) !== "nothing").map((sop) => [sop._id, sop]));
}

/** The most similar SOPs, and those with the same title, that a document is compared with. */
const sopsAtMost = 40;
const titledAtMost = 500;

/** The SOPs whose texts are nearest to these documents, in a version that the user can read. */
async function sopsOfTexts(
  company: CompanyStore<Collections>,
  actor: Actor,
  lost: readonly LostDocument[],
  importId: string,
): Promise<ReadonlyMap<ReadDocument, NearSops>> {
  const found = new Map<ReadDocument, NearSops>();
  if (lost.length === 0) return found;
  const marked = lost.map((document) => ({ document, marks: new Set(sequenceHashesOf(document.content.markdown)) }));
  const versions = await versionsWithMarks(company, new Set(marked.flatMap(({ marks }) => [...marks])));
  const titles = [...new Set(lost.flatMap(({ content }) => content.frontMatter.title ?? []))];
  const sops = company.collection("sops");
  const read = { projection: { _id: 1 }, limit: titledAtMost } as const;
  const titled = await sops.find({ title: { $in: titles } }, read);
  // a slug is the same for a title in other capitals or with other spaces
  const slugged = await sops.find({ slug: { $in: titles.map(slugify) } }, read);
  const ids = [...new Set([...versions.map(({ sopId }) => sopId), ...[...titled, ...slugged].map(({ _id }) => _id)])];
  const sources = await company.collection("sop_sources").find({ sopId: { $in: ids } });
  // files of one import are documents of their own
  const ofImport = new Set(sources.flatMap((source) => (source.importId === importId ? [source.sopId] : [])));
  const namesOf = Map.groupBy(sources, ({ sopId }) => sopId);
  const readable = await readableSops(
    company,
    actor,
    ids.filter((id) => !ofImport.has(id)),
  );
  const candidates = versions.filter(({ sopId, version }) => {
    const sop = readable.get(sopId);
    return sop !== undefined && mayReadVersion(actor, sop, version);
  });
  for (const { document, marks } of marked) {
    const content = withoutDetected(document).content ?? document.content;
    const { markdown, frontMatter } = content;
    // a document that was written from a template has its lines
    const isSameKind = (sop: SopDocument | undefined) => sop?.isTemplate === (frontMatter.template === true);
    const similar = nearestVersions(
      marks,
      candidates.filter(({ sopId }) => isSameKind(readable.get(sopId))),
    );
    const sameTitle = [...readable.values()].filter(
      (sop) => isSameTitle(sop.title, frontMatter.title) && isSameKind(sop),
    );
    const seen = sameTitle.slice(0, sopsAtMost).map((sop) => {
      const view = visibleVersion(actor, sop);
      return { sopId: sop._id, version: view === "nothing" ? 0 : versionSeen(sop, view) };
    });
    const near = [...similar, ...seen.filter(({ sopId }) => !similar.some((one) => one.sopId === sopId))];
    if (near.length === 0) continue;
    const hasOwnTitle = !document.notes.some(({ code }) => code === "title-from-name");
    const name = nameWithoutEnding(document.path);
    const texts = (await textsOf(company, near)).flatMap((text) => {
      const sop = readable.get(text.sopId);
      if (sop === undefined) return [];
      const names = [sop.slug, ...(namesOf.get(sop._id) ?? []).map(({ path }) => nameWithoutEnding(path))];
      const hasSameName = !namesOfAny.test(name) && names.includes(name);
      const { description } = text.frontMatter;
      const hasSameDescription = Boolean(description) && description === frontMatter.description;
      const isEqual = isSameText(text, content);
      return [{ sop, title: text.title, markdown: text.markdown, hasSameName, hasSameDescription, isEqual }];
    });
    const nearest = nearestTexts({ title: frontMatter.title, markdown, hasOwnTitle }, texts);
    if (nearest !== null)
      found.set(document, { likeness: nearest.likeness, sops: nearest.nearest.map(({ sop }) => sop) });
  }
  return found;
}

/** File names that say nothing about their document. */
const namesOfAny = /^(?:_?index|readme)$/;

type MarkedVersion = Pick<SopVersionDocument, "sopId" | "version" | "textMarks">;

const versionsAtMost = 500;
const versionsOfMark = 10;

/** Versions that share marks of their texts. Marks that very many versions have don't keep the others from being found. */
async function versionsWithMarks(
  company: CompanyStore<Collections>,
  marks: ReadonlySet<string>,
): Promise<readonly MarkedVersion[]> {
  if (marks.size === 0) return [];
  const projection = { sopId: 1, version: 1, textMarks: 1 } as const;
  const read = (some: readonly string[], limit: number) =>
    company.collection("sop_versions").find({ textMarks: { $in: [...some] } }, { projection, limit });
  const all = await read([...marks], versionsAtMost);
  if (all.length < versionsAtMost) return all;
  const each = new Map<string, MarkedVersion>();
  for (const mark of marks)
    for (const one of await read([mark], versionsOfMark)) each.set(`${one.sopId} ${one.version}`, one);
  return [...each.values()];
}

/** Chooses a version of each similar SOP: the one with the most marks of the document, or the newest of those. */
function nearestVersions(marks: ReadonlySet<string>, versions: readonly MarkedVersion[]): readonly MarkedVersion[] {
  const best = new Map<string, { one: MarkedVersion; shared: number }>();
  for (const one of versions) {
    const shared = one.textMarks.filter((mark) => marks.has(mark)).length;
    const before = best.get(one.sopId);
    const isBetter =
      before === undefined || shared > before.shared || (shared === before.shared && one.version > before.one.version);
    if (shared > 0 && isBetter) best.set(one.sopId, { one, shared });
  }
  return [...best.values()]
    .sort((a, b) => b.shared - a.shared)
    .slice(0, sopsAtMost)
    .map(({ one }) => one);
}

/** The texts of these versions, the oldest SOP first. */
async function textsOf(
  company: CompanyStore<Collections>,
  versions: readonly Pick<MarkedVersion, "sopId" | "version">[],
) {
  const wanted = new Map(versions.map(({ sopId, version }) => [sopId, version]));
  const found = await company
    .collection("sop_versions")
    .find(
      { sopId: { $in: [...wanted.keys()] }, version: { $in: [...new Set(wanted.values())] } },
      { projection: { sopId: 1, version: 1, title: 1, markdown: 1, frontMatter: 1 } },
    );
  return found
    .filter(({ sopId, version }) => wanted.get(sopId) === version)
    .sort((one, other) => (one.sopId < other.sopId ? -1 : 1));
}
