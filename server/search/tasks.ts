/** Messages to the search thread, and its answers. */
import type { LedgerPosition, RowText, SopRows, IndexedVersionRow } from "./index-file.ts";
import type { Query, QueryTerm } from "#core/search/query.ts";
import type { IndexQuestion } from "./ranking.ts";
import type { HitExcerpt } from "./shown-hit.ts";
import type { ReadScope, SopVersion } from "./read-scope.ts";
import type { NearestWord } from "./word-lists.ts";

export interface IndexMatch extends IndexedVersionRow {
  /** The rank of the row: a higher score is better. */
  score: number;
  /** The excerpt, if wanted. */
  shown?: HitExcerpt;
}

/** `from` and `to` choose the rows that come with excerpts. */
export interface ExcerptRange {
  from: number;
  to: number;
}

/** The tasks of the search thread. Each message names the file of the company's index. */
export interface SearchTasks {
  /** Reads the position of an index; null if there is no usable index. */
  open: { input: object; output: LedgerPosition | null };
  /** Makes the index of a small company. */
  make: { input: { texts: readonly RowText[]; position: LedgerPosition }; output: null };
  missing: { input: { wanted: readonly SopRows[] }; output: IndexedVersionRow[] };
  replace: {
    input: { wanted: readonly SopRows[]; texts: readonly RowText[]; position: LedgerPosition };
    output: null;
  };
  best: {
    input: {
      scope: ReadScope;
      question: IndexQuestion;
      offset: number;
      limit: number;
      shown?: ExcerptRange | undefined;
    };
    output: IndexMatch[];
  };
  /** Reads the excerpts of rows that the user can read; null for a deleted row. */
  show: { input: { rows: readonly SopVersion[]; terms: readonly QueryTerm[] }; output: (HitExcerpt | null)[] };
  /** Returns the corrected query, in the spelling of this row. */
  spell: {
    input: { row: SopVersion; query: Query; corrections: ReadonlyMap<QueryTerm, QueryTerm> };
    output: string;
  };
  /** Finds all matching rows; null if there are more than `atMost`. */
  all: { input: { scope: ReadScope; question: IndexQuestion; atMost: number }; output: IndexedVersionRow[] | null };
  near: { input: { scope: ReadScope; word: string; isBegun: boolean }; output: NearestWord[] };
  /** Closes the file, so that it can be replaced or deleted. */
  letGo: { input: object; output: null };
}

export type SearchTask = keyof SearchTasks;

export interface SearchAsk<Name extends SearchTask = SearchTask> {
  id: number;
  task: Name;
  path: string;
  input: SearchTasks[Name]["input"];
}

export type SearchReply =
  | { id: number; kind: "done"; output: unknown }
  | { id: number; kind: "damaged"; message: string }
  | { id: number; kind: "unwritable"; message: string }
  | { id: number; kind: "broken"; message: string };
