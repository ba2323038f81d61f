/** What the search thread is asked, and what it answers. */
import type { Position, RowText, Wanted, WantedRow } from "./index-file.ts";
import type { Question } from "./ranking.ts";
import type { Sight } from "./sight.ts";

export interface Match extends WantedRow {
  /** Higher is better. */
  score: number;
}

/** Each names the file of the company's index. */
export interface SearchTasks {
  /** How far the index is; null where there is no index that can be used. */
  open: { input: object; output: Position | null };
  /** Makes the index of a small company. */
  make: { input: { texts: readonly RowText[]; position: Position }; output: null };
  missing: { input: { wanted: readonly Wanted[] }; output: WantedRow[] };
  replace: {
    input: { wanted: readonly Wanted[]; texts: readonly RowText[]; position: Position };
    output: null;
  };
  best: { input: { sight: Sight; question: Question; offset: number; limit: number }; output: Match[] };
  all: { input: { sight: Sight; question: Question }; output: WantedRow[] };
  near: { input: { sight: Sight; word: string; isBegun: boolean }; output: string[] };
  /** Closes the file: it will be replaced or deleted. */
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
  | { id: number; kind: "full"; message: string }
  | { id: number; kind: "broken"; message: string };
