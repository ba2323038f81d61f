import type { IdsByView } from "../sops/list/streams.ts";
import { seenAs, type WantedRow } from "./index-file.ts";

/** SOPs with the words in their latest version, and SOPs with the words in their published one. */
export function byView(rows: readonly WantedRow[]): IdsByView {
  return {
    latest: rows.filter(({ seen }) => (seen & seenAs.latest) !== 0).map(({ sopId }) => sopId),
    published: rows.filter(({ seen }) => (seen & seenAs.published) !== 0).map(({ sopId }) => sopId),
  };
}
