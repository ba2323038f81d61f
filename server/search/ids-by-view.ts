import type { IdsByView } from "../sops/list/streams.ts";
import { viewBits, type VersionRow } from "./index-file.ts";

/** Groups SOPs by the version that has the words: the latest or the published one. */
export function idsByView(rows: readonly VersionRow[]): IdsByView {
  return {
    latest: rows.filter(({ seen }) => (seen & viewBits.latest) !== 0).map(({ sopId }) => sopId),
    published: rows.filter(({ seen }) => (seen & viewBits.published) !== 0).map(({ sopId }) => sopId),
  };
}
