/**
 * Measures how well queries find their answers, with our search, MiniSearch, and FTS5 with its own Porter stemmer, on
 * the same texts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { parseQuery } from "#core/search/query.ts";
import type { SopDocument } from "../../server/database/documents.ts";
import { CompanyIndex } from "../../server/search/company-index.ts";
import { searchIndex } from "../../server/search/find.ts";
import { createIndexFile, type RowText } from "../../server/search/index-file.ts";
import type { IndexReader } from "../../server/search/indexes.ts";
import { versionKinds, type ReadScope } from "../../server/search/read-scope.ts";
import { largeCorpus } from "../corpus.ts";
import { corpusQueries, ownQueries, type QueryCase } from "./queries.ts";

const root = path.resolve(import.meta.dirname, "../..");

export interface Collected {
  name: string;
  texts: RowText[];
  queries: readonly QueryCase[];
}

/** The library with the example company, and the corpus if it exists. */
export function collections(): Collected[] {
  const own = {
    name: "library",
    texts: read(path.join(root, "templates"), "{sops,demo/sops}/*.md"),
    queries: ownQueries,
  };
  if (largeCorpus === null) return [own];
  return [own, { name: "corpus", texts: read(largeCorpus, "**/*.md"), queries: corpusQueries }];
}

function read(folder: string, pattern: string): RowText[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .flatMap((name, n): RowText[] => {
      try {
        const { frontMatter, body } = readMarkdownDocument({
          path: name,
          text: readFileSync(path.join(folder, name), "utf8"),
        });
        const { title = name, description = "", tags = [], lang = null } = frontMatter;
        const number = `SOP-${String(n + 1).padStart(4, "0")}`;
        return [{ sopId: name, version: 1, seen: 3, number, title, description, tags, lang, markdown: body }];
      } catch {
        // an import would refuse this file
        return [];
      }
    });
}

/** Returns the paths of the answers, best first. */
export type Engine = (question: string) => Promise<string[]> | string[];

export async function ourEngine(texts: readonly RowText[]): Promise<Engine> {
  const reading = await readAll(texts);
  const titles = new Map(texts.map(({ sopId, title }) => [sopId, title]));
  const rowOf = (sopId: string) => ({
    sop: { _id: sopId, title: titles.get(sopId) ?? "" } as SopDocument,
    view: "latest" as const,
  });
  const seen = (rows: readonly { sopId: string }[]) =>
    Promise.resolve(new Map(rows.map(({ sopId }) => [sopId, rowOf(sopId)])));
  return async (question) => {
    const { hits } = await searchIndex({ reading, seen }, parseQuery(question), 10);
    return hits.map(({ sop }) => sop._id);
  };
}

/** The scope of a user who can read all texts. */
export const fullAccess: ReadScope = {
  userId: "one",
  kinds: versionKinds,
  passesRestrictions: true,
  seesLatest: true,
  own: [],
  restricted: [],
};

/** Builds an index of these texts, for a user who can read all of them. */
export async function readAll(texts: readonly RowText[]): Promise<Pick<IndexReader, "bestRows" | "nearWords">> {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-search-"));
  try {
    const file = createIndexFile(path.join(folder, "index.db"));
    file.transaction(() => texts.forEach((text) => file.add(text)));
    file.close();
    const index = await CompanyIndex.load(path.join(folder, "index.db"));
    return {
      bestRows: async (question, page) =>
        index.bestRows(fullAccess, question, page).map(({ row, score }) => ({ ...row, score })),
      nearWords: async (word, isBegun) => index.nearWords(fullAccess, word, isBegun),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const boost = { title: 8, description: 3 };

/**
 * MiniSearch with its usual setup: titles count more, the last word may be a prefix, a fifth of a word may be wrong.
 */
export function miniSearchEngine(texts: readonly RowText[]): Engine {
  const mini = new MiniSearch<RowText>({ fields: ["title", "description", "markdown"], idField: "sopId" });
  mini.addAll(texts);
  const prefix = (_: string, at: number, terms: string[]) => at === terms.length - 1;
  return (question) => mini.search(question, { boost, prefix, fuzzy: 0.2 }).map(({ id }) => String(id));
}

export function plainFtsEngine(texts: readonly RowText[]): Engine {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE t USING fts5 (id UNINDEXED, title, descr, body, tokenize = 'porter')");
  const insert = db.prepare("INSERT INTO t VALUES (?, ?, ?, ?)");
  for (const { sopId, title, description, markdown } of texts) insert.run(sopId, title, description, markdown);
  const select = db.prepare("SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t, 0, 8, 3, 1) LIMIT 10");
  return (question) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    const match = words.map((word, at) => `"${word}"${at === words.length - 1 ? " *" : ""}`).join(" OR ");
    return select.all(match).map(({ id }) => String(id));
  };
}

/** The share of queries with an answer among the first `within`. */
export async function success(
  engine: Engine,
  queries: readonly QueryCase[],
  within: number,
): Promise<{ share: number; missed: string[] }> {
  const missed: string[] = [];
  for (const [question, ...answers] of queries) {
    const found = (await engine(question)).slice(0, within);
    if (!found.some((name) => answers.includes(name))) missed.push(question);
  }
  return { share: 1 - missed.length / queries.length, missed };
}

/** The queries with their last word cut after some letters, at least four. */
export function typedSoFar(queries: readonly QueryCase[]): QueryCase[] {
  return queries.flatMap(([question, ...answers], n): QueryCase[] => {
    const word = /\p{L}{5,}$/u.exec(question)?.[0];
    if (word === undefined) return [];
    const kept = 4 + (n % (word.length - 4));
    return [[question.slice(0, question.length - word.length + kept), ...answers]];
  });
}

/**
 * The queries with a typo in the longest word: two letters swapped, one left out, one doubled or one replaced, in turn.
 */
export function withOneSlip(queries: readonly QueryCase[]): QueryCase[] {
  return queries.flatMap(([question, ...answers], n): QueryCase[] => {
    const words = question.match(/\p{L}{5,}/gu) ?? [];
    const word = words.toSorted((one, other) => other.length - one.length)[0];
    if (word === undefined) return [];
    const at = 1 + (n % (word.length - 2));
    const [before, letter, next, after] = [word.slice(0, at), word[at] ?? "", word[at + 1] ?? "", word.slice(at + 2)];
    const slips = [
      before + next + letter + after,
      before + next + after,
      before + letter + letter + next + after,
      `${before}${letter === "x" ? "z" : "x"}${next}${after}`,
    ];
    const slip = letter === next ? slips[1] : slips[n % slips.length];
    return [[question.replace(word, slip ?? word), ...answers]];
  });
}
