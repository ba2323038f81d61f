import type { IdsByView } from "../sops/asked.ts";
import { seenAs, type WantedRow } from "./index-file.ts";

/** SOPs whose head has the words, and those that have them in what is published. */
export function byView(rows: readonly WantedRow[]): IdsByView {
  return {
    head: rows.filter(({ seen }) => (seen & seenAs.head) !== 0).map(({ sopId }) => sopId),
    effective: rows.filter(({ seen }) => (seen & seenAs.force) !== 0).map(({ sopId }) => sopId),
  };
}
