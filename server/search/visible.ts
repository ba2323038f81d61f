/**
 * Keeps the hits that the user can see and that match the filters. Queries of the database decide, before any count.
 */
import type { Actor } from "#core/permissions/actor.ts";
import type { Clock } from "#core/clock.ts";
import type { SearchQuery } from "#core/search/schema.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { loadFavoriteIds } from "../favorites/favorites.ts";
import { visibleStreams, type ListFilters, type IdsByView } from "../sops/list/streams.ts";
import type { ListedSop } from "../sops/list/visible.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { type IndexedVersionRow, viewBits } from "./index-file.ts";

export type SearchFilters = ListFilters & Pick<SearchQuery, "favorite">;

/**
 * Reads the SOPs of these rows, by id. Leaves out an SOP if the user now sees another version than the index found, or
 * none.
 */
export type VisibleLookup = (rows: readonly IndexedVersionRow[]) => Promise<ReadonlyMap<string, ListedSop>>;

export async function createVisibleLookup(
  { db, clock }: { db: Database<Collections>; clock: Clock },
  actor: Actor,
  query: SearchFilters,
): Promise<VisibleLookup> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const starred = query.favorite === undefined ? null : new Set(await loadFavoriteIds(db, actor));
  return async (rows) => {
    const candidates = starred === null ? rows : rows.filter(({ sopId }) => starred.has(sopId));
    const found = await Promise.all(
      visibleStreams(actor, query, clock, idsByView(candidates)).map(async ({ view, filter }) => {
        const documents = await sops.find(filter);
        return documents.map((sop): ListedSop => ({ sop, view }));
      }),
    );
    const versions = new Set(candidates.map(({ sopId, version }) => `${sopId} ${version}`));
    // leaves out SOPs that were saved since the search, because the user now sees another version
    const current = found
      .flat()
      .filter(({ sop, view }) => versions.has(`${sop._id} ${versionNumberInView(sop, view)}`));
    return new Map(current.map((row) => [row.sop._id, row]));
  };
}

/** Groups rows by version: SOPs with the words in their latest version, and in their published version. */
function idsByView(rows: readonly IndexedVersionRow[]): IdsByView {
  return {
    latest: rows.filter(({ seen }) => (seen & viewBits.latest) !== 0).map(({ sopId }) => sopId),
    published: rows.filter(({ seen }) => (seen & viewBits.published) !== 0).map(({ sopId }) => sopId),
  };
}
