import type { IdsByView } from "../sops/list/streams.ts";
import { seenAs, type WantedRow } from "./index-file.ts";

/** SOPs with the words in their latest version, and SOPs with the words in their published one. */
export function byView(rows: readonly WantedRow[]): IdsByView {
  return {
    head: rows.filter(({ seen }) => (seen & seenAs.head) !== 0).map(({ sopId }) => sopId),
    effective: rows.filter(({ seen }) => (seen & seenAs.force) !== 0).map(({ sopId }) => sopId),
  };
}
