/**
 * Does the tasks of the search thread on its open indexes. When too many are open, the least recently used index is
 * closed.
 */
import { renameSync, rmSync } from "node:fs";
import { searchChunksOf } from "#core/search/chunks.ts";
import { type QueryTerm, withReplacedTerms, type Query } from "#core/search/query.ts";
import { highlightTerms, createTermFinder } from "#core/search/highlight.ts";
import { isDiskFull } from "../database/sqlite/errors.ts";
import { serverLimits } from "../capacity/resources.ts";
import { CompanyIndex } from "./company-index.ts";
import { createIndexFile, indexFilePaths, WrongIndexError, type IndexedVersionRow } from "./index-file.ts";
import { createExcerpts, type HitExcerpt } from "./shown-hit.ts";
import type { SopVersion } from "./read-scope.ts";
import type { SearchAsk, SearchReply, SearchTask, SearchTasks } from "./tasks.ts";
import { isUnwritable, UnwritableIndexError } from "./unwritable.ts";

const loaded = new Map<string, Promise<CompanyIndex>>();
/** The number of postings of each index. */
const sizes = new Map<string, number>();

const work: {
  [Name in Exclude<SearchTask, "letGo" | "make">]: (
    index: CompanyIndex,
    input: SearchTasks[Name]["input"],
  ) => SearchTasks[Name]["output"];
} = {
  open: (index) => index.position(),
  missing: (index, { wanted }) => index.missingRows(wanted),
  replace(index, { wanted, texts, position }) {
    index.replaceRows(wanted, texts, position);
    return null;
  },
  best(index, { scope, question, offset, limit, shown = { from: 0, to: 0 } }) {
    const rows = index.bestRows(scope, question, { offset, limit });
    const wanted = rows.slice(shown.from, shown.to).map(({ row }) => row);
    const hits = excerptsOf(index, wanted, question.terms);
    return rows.map(({ row, score }, at) => {
      const hit = hits[at - shown.from] ?? null;
      return { ...versionRow(row), score, ...(hit === null ? {} : { shown: hit }) };
    });
  },
  show: (index, { rows, terms }) => excerptsOf(index, rows, terms),
  spell(index, { row, query, corrections }) {
    const [text] = index.texts([row]);
    const pieces = text ? searchChunksOf(text.markdown).map((chunk) => chunk.text) : [];
    return correctedText(query, corrections, text ? [text.title, text.description, ...pieces] : []);
  },
  all(index, { scope, question, atMost }) {
    const rows = index.matchingRows(scope, question);
    return rows.length > atMost ? null : rows.map(versionRow);
  },
  near: (index, { scope, word, isBegun }) => index.nearWords(scope, word, isBegun),
};

function versionRow({ sopId, version, seen }: IndexedVersionRow): IndexedVersionRow {
  return { sopId, version, seen };
}

function excerptsOf(
  index: CompanyIndex,
  rows: readonly SopVersion[],
  terms: readonly QueryTerm[],
): (HitExcerpt | null)[] {
  const texts = index.texts(rows);
  const hits = createExcerpts(
    texts.filter((text) => text !== null),
    terms,
  );
  return texts.map((text) => (text === null ? null : (hits.shift() ?? null)));
}

export async function runSearchTask({ id, task, path, input }: SearchAsk): Promise<SearchReply> {
  try {
    if (task === "letGo") {
      await closeIndex(path);
      return { id, kind: "done", output: null };
    }
    if (task === "make") {
      await closeIndex(path);
      makeIndexFile(path, input as SearchTasks["make"]["input"]);
      return { id, kind: "done", output: null };
    }
    const index = await loadIndexAt(path);
    return { id, kind: "done", output: work[task](index, input as never) };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, kind: searchFailureKind(error), message };
  }
}

function searchFailureKind(error: unknown): "unwritable" | "damaged" | "broken" {
  if (error instanceof UnwritableIndexError || isDiskFull(error) || isReadOnly(error)) return "unwritable";
  return isDamage(error) ? "damaged" : "broken";
}

function makeIndexFile(path: string, { texts, position }: SearchTasks["make"]["input"]): void {
  replaceIndexFile(path, (unfinished) => {
    const file = createIndexFile(unfinished);
    try {
      file.transaction(() => {
        for (const text of texts) file.add(text);
        file.moveTo(position);
      });
    } finally {
      file.close();
    }
  });
}

/** Writes a file completely before it replaces the one at `path`. */
function replaceIndexFile(path: string, write: (unfinished: string) => void): void {
  const unfinished = `${path}.new`;
  try {
    removeIndexFiles(unfinished);
    write(unfinished);
    removeIndexFiles(path);
    renameSync(unfinished, path);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    // removes an unfinished file, because it takes disk space
    try {
      removeIndexFiles(unfinished);
    } catch (why) {
      if (!isUnwritable(why)) throw why;
    }
    throw new UnwritableIndexError(error);
  }
}

function removeIndexFiles(path: string): void {
  for (const part of indexFilePaths(path)) rmSync(part, { force: true });
}

function loadIndexAt(path: string): Promise<CompanyIndex> {
  const known = loaded.get(path);
  if (known) {
    loaded.delete(path);
    loaded.set(path, known);
    return known;
  }
  const loading = CompanyIndex.load(path).then((index) => {
    sizes.set(path, index.size);
    return index;
  });
  loaded.set(path, loading);
  loading.then(
    () => closeOldestIndexes(path),
    () => loaded.delete(path),
  );
  return loading;
}

async function closeIndex(path: string): Promise<void> {
  const index = loaded.get(path);
  loaded.delete(path);
  sizes.delete(path);
  await index?.then(
    (one) => one.close(),
    () => undefined,
  );
}

function closeOldestIndexes(newest: string): void {
  let postings = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const path of loaded.keys()) {
    if (path === newest || postings <= serverLimits.searchPostings.atMost) return;
    postings -= sizes.get(path) ?? 0;
    void closeIndex(path);
  }
}

/** Says whether the error is SQLITE_READONLY, when another user owns the file. */
function isReadOnly(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === 8;
}

/**
 * Says whether the error means damage: an index of another version, SQLITE_CANTOPEN, SQLITE_CORRUPT with its
 * extensions, SQLITE_NOTADB, or a lost file.
 */
function isDamage(error: unknown): boolean {
  if (error instanceof WrongIndexError) return true;
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === "number" && [1, 10, 11, 14, 26].includes(code & 0xff);
}

/** Returns the corrected query, with each word as the first text that has it spells it. */
function correctedText(query: Query, corrections: ReadonlyMap<QueryTerm, QueryTerm>, texts: readonly string[]): string {
  const words = new Map<QueryTerm, string>();
  for (const [term, meant] of corrections) {
    const finder = createTermFinder({ terms: [meant] });
    const marked = texts.map((text) => highlightTerms(text, finder)).find(({ ranges }) => ranges.length > 0);
    const [start, end] = marked?.ranges[0] ?? [0, 0];
    words.set(term, marked ? marked.text.slice(start, end).toLowerCase() : meant.raw);
  }
  return withReplacedTerms(query, words);
}
