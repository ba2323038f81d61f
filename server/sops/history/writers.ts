/** Finds the people whose words a version of an SOP has, from the records and texts of versions. */
import {
  sequenceHashesOf,
  createEditDistanceTo,
  createCloserMatchFilter,
  blocksBySection,
  comparableSentencesOf,
  sentenceWeightOf,
  wordsOfMarkdown,
} from "#core/approvals/said.ts";
import {
  distinctWriters,
  restoredVersionNumbers,
  writerIdsOf,
  type VersionWriter,
  type AuthorFields,
} from "#core/approvals/writers.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Collections, SopDocument, SopVersionDocument } from "../../database/documents.ts";
import type { Condition, Projection, Transaction } from "../../database/port.ts";
import type { TemplateLibrary } from "../../templates/library.ts";
import { loadVersionText } from "../view/version-text.ts";

type WritersTransaction = Transaction<Collections>;
type SopKey = Pick<SopDocument, "_id" | "companyId">;

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

/**
 * Finds the users who wrote words of this text since the previously published version, in this SOP or first in another
 * SOP.
 */
export async function findWriters(
  store: WritersTransaction,
  templates: TemplateLibrary,
  sop: SopKey,
  version: number,
): Promise<Set<string>> {
  const published = await findLastPublishedVersion(store, sop, { $lt: version });
  const since = await readVersionsSince(store, sop, version, published);
  const { markdown: text } = await loadVersionText({ db: store }, { ...sop, version }, version);
  const settled = wordsOfMarkdown(await readMarkdownOrEmpty(store, sop, published));
  const again = await findRepeatedVersions(store, templates, sop, { text, settled, published });
  const proposed = await findWritersOfProposals(store, templates, sop, { text, settled });
  const elsewhere = await findWritersOfSimilarSops(store, templates, sop, { since, settled });
  return new Set([...writerIdsOf([...since, ...again, ...proposed]), ...elsewhere]);
}

/** Reads the text of a version; "" if the text is missing or damaged, so that none of its words count as published. */
async function readMarkdownOrEmpty(
  store: WritersTransaction,
  { _id: sopId, companyId }: SopKey,
  version: number,
): Promise<string> {
  const versions = store.forCompany(companyId).collection("sop_versions");
  const [found] = await versions.find({ sopId, version }, { projection: { markdown: 1 }, limit: 1 });
  return found?.markdown ?? "";
}

/** Finds versions before the published one whose words this text has again and the published version lacks. */
async function findRepeatedVersions(
  store: WritersTransaction,
  templates: TemplateLibrary,
  sop: SopKey,
  { text, settled, published }: { text: string; settled: readonly string[]; published: number },
): Promise<SopVersionDocument[]> {
  const words = wordsOfMarkdown(text);
  const whole = words.join(" ");
  if (published <= 1 || whole === settled.join(" ")) return [];
  const versions = store.forCompany(sop.companyId).collection("sop_versions");
  const now = createEditDistanceTo(words);
  const isAgain = createCloserMatchFilter(now, createEditDistanceTo(settled));
  const marks = sequenceHashesOf(text).join(" ");
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
      isWhole ||= older.textMarks.join(" ") === marks && wordsOfMarkdown(markdown).join(" ") === whole;
      if (isWhole) all.push(older);
      for (const section of blocksBySection(markdown)) {
        for (const sentence of comparableSentencesOf(section, paragraphs)) {
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
  const common = createEditDistanceTo(await readWordsOfSopsAndTemplates(store, templates, sop));
  const own = [...writers.values()].filter(({ sentence }) => now(sentence) < common(sentence));
  return [...own.map(({ version }) => version), ...all];
}

const proposalsAtMost = 50;

/** Finds the authors of proposals whose own words are in this text although they weren't accepted. */
async function findWritersOfProposals(
  store: WritersTransaction,
  templates: TemplateLibrary,
  sop: SopKey,
  { text, settled }: { text: string; settled: readonly string[] },
): Promise<AuthorFields[]> {
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
  const now = createEditDistanceTo(wordsOfMarkdown(text));
  const common = await readWordsOfSopsAndTemplates(store, templates, sop);
  const found: AuthorFields[] = [];
  for (const { text: file, baseVersion, authorId, writers = [] } of proposals) {
    if (baseVersion === null) continue;
    const base = wordsOfMarkdown(await readMarkdownOrEmpty(store, sop, baseVersion));
    const isOwn = createCloserMatchFilter(now, createEditDistanceTo([...settled, ".", ...base, ".", ...common]));
    if (sentencesOfMarkdown(readMarkdownFile(file).body).some(isOwn))
      found.push({ version: baseVersion, changedBy: authorId, writers, restores: null });
  }
  return found;
}

const publishedAtMost = 50;

/** Returns the words of other published SOPs and of the templates. Their sentences don't make a user an author. */
async function readWordsOfSopsAndTemplates(
  store: WritersTransaction,
  templates: TemplateLibrary,
  { _id, companyId }: SopKey,
): Promise<string[]> {
  const company = store.forCompany(companyId);
  const latest = await company
    .collection("sops")
    .find(
      { _id: { $ne: _id }, hasPublished: true },
      { projection: { published: 1 }, sort: { "published.updatedAt": -1, _id: -1 }, limit: publishedAtMost },
    );
  const texts = latest.map((sop) =>
    readMarkdownOrEmpty(store, { _id: sop._id, companyId }, sop.published?.version ?? 0),
  );
  return [...[...templates.values()].map(({ markdown }) => markdown), ...(await Promise.all(texts))].flatMap((text) => [
    ...wordsOfMarkdown(text),
    // a period after each text, so that no sentence crosses into the next text
    ".",
  ]);
}

const versionsAtMost = 2000;
const sopsAtMost = 20;

interface SimilarSop {
  sopId: string;
  theirs: number;
  mine: number;
  shared: number;
}

/**
 * Finds authors whose unpublished words in another SOP make up most of one of these versions, or are nearly all in it.
 */
async function findWritersOfSimilarSops(
  store: WritersTransaction,
  templates: TemplateLibrary,
  sop: SopKey,
  { since, settled }: { since: readonly SopVersionDocument[]; settled: readonly string[] },
): Promise<string[]> {
  const { companyId } = sop;
  const twins = await findSimilarSops(store, sop, since);
  if (twins.length === 0) return [];
  const common = [...settled, ".", ...(await readWordsOfSopsAndTemplates(store, templates, sop))];
  for (const { sopId } of twins) {
    const version = await findLastPublishedVersion(store, { _id: sopId, companyId }, { $gt: 0 });
    if (version > 0)
      common.push(".", ...wordsOfMarkdown(await readMarkdownOrEmpty(store, { _id: sopId, companyId }, version)));
  }
  const known = createEditDistanceTo(common);
  const writers: VersionWriter[] = [];
  for (const { sopId, theirs, mine } of twins) {
    const other = { _id: sopId, companyId };
    const said = sentencesOfMarkdown(await readMarkdownOrEmpty(store, other, theirs));
    const text = await readMarkdownOrEmpty(store, sop, mine);
    const now = createEditDistanceTo(wordsOfMarkdown(text));
    const copied = totalWeight(said.filter(createCloserMatchFilter(now, known)));
    const most =
      Math.min(totalWeight(said.filter((sentence) => known(sentence) > 0)), totalWeight(sentencesOfMarkdown(text))) / 2;
    if (copied > 0 && copied >= most) writers.push(...(await findWritersOfCopy(store, other, theirs)));
  }
  return writers.flatMap(({ id, stated }) => (stated ? [] : [id]));
}

const totalWeight = (sentences: readonly (readonly string[])[]) =>
  sentences.reduce((sum, sentence) => sum + sentenceWeightOf(sentence), 0);

/** Returns the sentences of a text. A text of a few words counts as one sentence. */
function sentencesOfMarkdown(markdown: string): string[][] {
  const found = blocksBySection(markdown).flatMap((section) => comparableSentencesOf(section));
  const words = wordsOfMarkdown(markdown);
  return found.length > 0 || words.length === 0 ? found : [words];
}

/**
 * Finds other SOPs with an earlier version that shares much text with one of these versions. Each SOP is listed with
 * its most similar version.
 */
async function findSimilarSops(
  store: WritersTransaction,
  { _id, companyId }: SopKey,
  since: readonly SopVersionDocument[],
): Promise<SimilarSop[]> {
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
  const twins = new Map<string, SimilarSop>();
  for (const { sopId, version, createdAt, textMarks } of found)
    for (const mine of since) {
      if (createdAt > mine.createdAt) continue;
      const shared = mine.textMarks.filter((mark) => textMarks.includes(mark)).length;
      // of equally similar versions, the earliest counts, because it had the text first
      if (shared > 0 && shared >= (twins.get(sopId)?.shared ?? 0))
        twins.set(sopId, { sopId, theirs: version, mine: mine.version, shared });
    }
  return [...twins.values()].sort((one, other) => other.shared - one.shared).slice(0, sopsAtMost);
}

/** Finds the authors of unpublished words in a version, for an SOP that begins with a copy of the version. */
export async function findWritersOfCopy(
  store: WritersTransaction,
  sop: SopKey,
  version: number,
): Promise<VersionWriter[]> {
  const published = await findLastPublishedVersion(store, sop, { $lte: version });
  if (published === version) return [];
  const versions = await readVersionsSince(store, sop, version, published);
  const all = versions.flatMap(({ changedBy: id, changedByName: name, changedByUsername: username, writers = [] }) => [
    { id, name: printedName({ name, username }) },
    ...writers,
  ]);
  return distinctWriters(all);
}

async function findLastPublishedVersion(store: WritersTransaction, sop: SopKey, version: Condition<number>) {
  const periods = await store
    .forCompany(sop.companyId)
    .collection("published_periods")
    .find({ sopId: sop._id, version }, { projection: { version: 1 } });
  return Math.max(0, ...periods.map((period) => period.version));
}

/** Reads the versions after the published one, and older versions whose words they contain again. */
async function readVersionsSince(
  store: WritersTransaction,
  sop: SopKey,
  version: number,
  published: number,
): Promise<SopVersionDocument[]> {
  const versions = store.forCompany(sop.companyId).collection("sop_versions");
  const readVersions = (which: Condition<number>) =>
    versions.find({ sopId: sop._id, version: which }, { projection: ofWriters });
  const since = await readVersions({ $gt: published, $lte: version });
  const back = await findNewestUnsettledVersion(store, sop, restoredVersionNumbers(since, published), published);
  return back === 0 ? since : [...since, ...(await readVersions({ $lte: back }))];
}

/** Finds the newest of these versions whose text differs from the published version, which was approved; 0 for none. */
async function findNewestUnsettledVersion(
  store: WritersTransaction,
  { _id: sopId, companyId }: SopKey,
  restored: readonly number[],
  published: number,
): Promise<number> {
  const versions = store.forCompany(companyId).collection("sop_versions");
  if (restored.length === 0) return 0;
  const textOf = async (version: number) => {
    const projection = { title: 1, description: 1, markdown: 1 } as const;
    const [found] = await versions.find({ sopId, version }, { projection, limit: 1 });
    return found && JSON.stringify([found.title, found.description, found.markdown]);
  };
  const settled = await textOf(published);
  for (const version of restored) {
    const text = await textOf(version);
    // a text that is missing or damaged counts as different, so that no author is left out
    if (text === undefined || text !== settled) return version;
  }
  return 0;
}
