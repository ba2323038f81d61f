/** Finds the people whose words a version of an SOP has, from the records and texts of versions. */
import { marksOf, nearestIn, saysAgain, sectionsOf, sentencesOf, weightOf, wordsOf } from "#core/approvals/said.ts";
import { broughtBack, eachWriterOnce, writersIn, type Writer, type Written } from "#core/approvals/writers.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Collections, SopDocument, SopVersionDocument } from "../../database/documents.ts";
import type { Condition, Projection, Transaction } from "../../database/port.ts";
import type { TemplateLibrary } from "../../templates/library.ts";
import { versionText } from "../view/version-text.ts";

type Store = Transaction<Collections>;
type Sop = Pick<SopDocument, "_id" | "companyId">;

const ofWriters: Projection<SopVersionDocument> = {
  version: 1,
  changedBy: 1,
  changedByName: 1,
  changedByUsername: 1,
  writers: 1,
  restores: 1,
  madeFrom: 1,
  textMarks: 1,
  createdAt: 1,
};

/** The users who wrote a word since the previously published version, here or first in another SOP. */
export async function writersBefore(
  store: Store,
  templates: TemplateLibrary,
  sop: Sop,
  version: number,
): Promise<Set<string>> {
  const published = await lastPublished(store, sop, { $lt: version });
  const since = await versionsSince(store, sop, version, published);
  const { markdown: text } = await versionText({ db: store }, { ...sop, version }, version);
  const settled = wordsOf(await textOf(store, sop, published));
  const again = await writtenAgain(store, templates, sop, { text, settled, published });
  const proposed = await writersProposed(store, templates, sop, { text, settled });
  const elsewhere = await writersElsewhere(store, templates, sop, { since, settled });
  return new Set([...writersIn([...since, ...again, ...proposed]), ...elsewhere]);
}

/** The text of a version; "" if it is lost or damaged, so that its words excuse no author. */
async function textOf(store: Store, { _id: sopId, companyId }: Sop, version: number): Promise<string> {
  const versions = store.forCompany(companyId).collection("sop_versions");
  const [found] = await versions.find({ sopId, version }, { projection: { markdown: 1 }, limit: 1 });
  return found?.markdown ?? "";
}

/** Versions before the published one whose words this text has again and the published one lacks. */
async function writtenAgain(
  store: Store,
  templates: TemplateLibrary,
  sop: Sop,
  { text, settled, published }: { text: string; settled: readonly string[]; published: number },
): Promise<SopVersionDocument[]> {
  const words = wordsOf(text);
  const whole = words.join(" ");
  if (published <= 1 || whole === settled.join(" ")) return [];
  const versions = store.forCompany(sop.companyId).collection("sop_versions");
  const now = nearestIn(words);
  const isAgain = saysAgain(now, nearestIn(settled));
  const marks = marksOf(text).join(" ");
  const paragraphs = new Map<string, string[][]>();
  const judged = new Map<string, boolean>();
  const writers = new Map<string, { sentence: string[]; version: SopVersionDocument }>();
  let isWhole = false;
  const all: SopVersionDocument[] = [];
  for (let below = published; below > 1;) {
    const page = await versions.find(
      { sopId: sop._id, version: { $lt: below } },
      { projection: { ...ofWriters, markdown: 1 }, sort: { version: -1 }, limit: 50 },
    );
    for (const { markdown, ...rest } of page) {
      const older = { ...rest, markdown: "" };
      isWhole ||= older.textMarks.join(" ") === marks && wordsOf(markdown).join(" ") === whole;
      if (isWhole) all.push(older);
      for (const section of sectionsOf(markdown)) {
        for (const sentence of sentencesOf(section, paragraphs)) {
          const key = sentence.join(" ");
          const isBack = judged.get(key) ?? isAgain(sentence);
          judged.set(key, isBack);
          // the lowest version is the first that has the sentence
          if (isBack) writers.set(key, { sentence, version: older });
        }
      }
    }
    below = page.at(-1)?.version ?? 1;
  }
  if (writers.size === 0) return all;
  const common = nearestIn(await commonWords(store, templates, sop));
  const own = [...writers.values()].filter(({ sentence }) => now(sentence) < common(sentence));
  return [...own.map(({ version }) => version), ...all];
}

const proposalsAtMost = 50;

/** Proposals whose own words are in this text although they weren't accepted. */
async function writersProposed(
  store: Store,
  templates: TemplateLibrary,
  sop: Sop,
  { text, settled }: { text: string; settled: readonly string[] },
): Promise<Written[]> {
  const proposals = await store
    .forCompany(sop.companyId)
    .collection("proposals")
    .find(
      { sopId: sop._id },
      {
        projection: { text: 1, baseVersion: 1, authorId: 1, writers: 1 },
        sort: { number: -1 },
        limit: proposalsAtMost,
      },
    );
  if (proposals.length === 0) return [];
  const now = nearestIn(wordsOf(text));
  const common = await commonWords(store, templates, sop);
  const found: Written[] = [];
  for (const { text: file, baseVersion, authorId, writers = [] } of proposals) {
    if (baseVersion === null) continue;
    const base = wordsOf(await textOf(store, sop, baseVersion));
    const isOwn = saysAgain(now, nearestIn([...settled, ".", ...base, ".", ...common]));
    if (sentencesIn(readMarkdownFile(file).body).some(isOwn))
      found.push({ version: baseVersion, changedBy: authorId, writers, restores: null });
  }
  return found;
}

const publishedAtMost = 50;

/** The words of other published SOPs and of the templates. Their sentences don't make a user an author. */
async function commonWords(store: Store, templates: TemplateLibrary, { _id, companyId }: Sop): Promise<string[]> {
  const company = store.forCompany(companyId);
  const latest = await company
    .collection("sops")
    .find(
      { _id: { $ne: _id }, hasPublished: true },
      { projection: { published: 1 }, sort: { "published.updatedAt": -1, _id: -1 }, limit: publishedAtMost },
    );
  const texts = latest.map((sop) => textOf(store, { _id: sop._id, companyId }, sop.published?.version ?? 0));
  return [...[...templates.values()].map(({ markdown }) => markdown), ...(await Promise.all(texts))].flatMap((text) => [
    ...wordsOf(text),
    // a period ends each text, so that no sentence crosses into the next
    ".",
  ]);
}

const versionsAtMost = 2000;
const sopsAtMost = 20;

interface Twin {
  sopId: string;
  theirs: number;
  mine: number;
  shared: number;
}

/** Authors whose unpublished words in another SOP make up most of one of these versions, or are nearly all in it. */
async function writersElsewhere(
  store: Store,
  templates: TemplateLibrary,
  sop: Sop,
  { since, settled }: { since: readonly SopVersionDocument[]; settled: readonly string[] },
): Promise<string[]> {
  const { companyId } = sop;
  const twins = await twinsOf(store, sop, since);
  if (twins.length === 0) return [];
  const common = [...settled, ".", ...(await commonWords(store, templates, sop))];
  for (const { sopId } of twins) {
    const version = await lastPublished(store, { _id: sopId, companyId }, { $gt: 0 });
    if (version > 0) common.push(".", ...wordsOf(await textOf(store, { _id: sopId, companyId }, version)));
  }
  const known = nearestIn(common);
  const writers: Writer[] = [];
  for (const { sopId, theirs, mine } of twins) {
    const other = { _id: sopId, companyId };
    const said = sentencesIn(await textOf(store, other, theirs));
    const text = await textOf(store, sop, mine);
    const now = nearestIn(wordsOf(text));
    const copied = weigh(said.filter(saysAgain(now, known)));
    const most = Math.min(weigh(said.filter((sentence) => known(sentence) > 0)), weigh(sentencesIn(text))) / 2;
    if (copied > 0 && copied >= most) writers.push(...(await writersOfCopy(store, other, theirs)));
  }
  return writers.flatMap(({ id, stated }) => (stated ? [] : [id]));
}

const weigh = (sentences: readonly (readonly string[])[]) =>
  sentences.reduce((sum, sentence) => sum + weightOf(sentence), 0);

/** The sentences of a text. A text of a few words counts as one sentence. */
function sentencesIn(markdown: string): string[][] {
  const found = sectionsOf(markdown).flatMap((section) => sentencesOf(section));
  const words = wordsOf(markdown);
  return found.length > 0 || words.length === 0 ? found : [words];
}

/**
 * Other SOPs with an earlier version that shares much text with one of these versions. Each SOP is listed with its most
 * similar version.
 */
async function twinsOf(store: Store, { _id, companyId }: Sop, since: readonly SopVersionDocument[]): Promise<Twin[]> {
  const marks = [...new Set(since.flatMap(({ textMarks }) => textMarks))];
  const last = since.reduce((at, { createdAt }) => (createdAt > at ? createdAt : at), "");
  const found = await store
    .forCompany(companyId)
    .collection("sop_versions")
    .find(
      { textMarks: { $in: marks }, sopId: { $ne: _id }, createdAt: { $lte: last } },
      {
        projection: { sopId: 1, version: 1, createdAt: 1, textMarks: 1 },
        sort: { createdAt: -1, _id: -1 },
        limit: versionsAtMost,
      },
    );
  const twins = new Map<string, Twin>();
  for (const { sopId, version, createdAt, textMarks } of found)
    for (const mine of since) {
      if (createdAt > mine.createdAt) continue;
      const shared = mine.textMarks.filter((mark) => textMarks.includes(mark)).length;
      // if versions are equal, the earliest counts, because it had the text first
      if (shared > 0 && shared >= (twins.get(sopId)?.shared ?? 0))
        twins.set(sopId, { sopId, theirs: version, mine: mine.version, shared });
    }
  return [...twins.values()].sort((one, other) => other.shared - one.shared).slice(0, sopsAtMost);
}

/** Authors of unpublished words in a version, for its copy. */
export async function writersOfCopy(store: Store, sop: Sop, version: number): Promise<Writer[]> {
  const published = await lastPublished(store, sop, { $lte: version });
  if (published === version) return [];
  const versions = await versionsSince(store, sop, version, published);
  const all = versions.flatMap(({ changedBy: id, changedByName: name, changedByUsername: username, writers = [] }) => [
    { id, name: printedName({ name, username }) },
    ...writers,
  ]);
  return eachWriterOnce(all);
}

async function lastPublished(store: Store, sop: Sop, version: Condition<number>) {
  const periods = await store
    .forCompany(sop.companyId)
    .collection("published_periods")
    .find({ sopId: sop._id, version }, { projection: { version: 1 } });
  return Math.max(0, ...periods.map((period) => period.version));
}

/** The versions after the published one, and older versions whose words they brought back. */
async function versionsSince(
  store: Store,
  sop: Sop,
  version: number,
  published: number,
): Promise<SopVersionDocument[]> {
  const versions = store.forCompany(sop.companyId).collection("sop_versions");
  const read = (which: Condition<number>) =>
    versions.find({ sopId: sop._id, version: which }, { projection: ofWriters });
  const since = await read({ $gt: published, $lte: version });
  const back = broughtBack(since, published);
  return back === 0 ? since : [...since, ...(await read({ $lte: back }))];
}
