import { seenAs, type WantedRow } from "./index-file.ts";

/** SOPs whose head has the words, and those that have them in what is in force. */
export function byView(rows: readonly WantedRow[]): { head: string[]; effective: string[] } {
  return {
    head: rows.filter(({ seen }) => (seen & seenAs.head) !== 0).map(({ sopId }) => sopId),
    effective: rows.filter(({ seen }) => (seen & seenAs.force) !== 0).map(({ sopId }) => sopId),
  };
}
