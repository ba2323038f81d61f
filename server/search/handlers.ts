import { deepestHit } from "#core/search/schema.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { withIds } from "../sops/list/named-filters.ts";
import { rowPresenter } from "../sops/view/present.ts";
import { findPage } from "./find.ts";
import { readHitCursor, writeHitCursor } from "./hit-cursor.ts";
import { glossaryOf } from "./glossary.ts";

export function searchHandlers(services: Services): Handlers<"search"> {
  return {
    async find({ identity: { actor }, query: asked }) {
      const query = await withIds(services, actor, asked);
      const from = readHitCursor(query.cursor);
      const next = from + query.limit;
      const wanted = query.total === "true" ? deepestHit : Math.min(deepestHit, next + 1);
      const synonyms = await glossaryOf(services, actor.companyId);
      const { hits, page, spelled, didYouMean } = await findPage(services, actor, query, {
        wanted,
        synonyms,
        shown: { from, to: next },
      });
      if (from === 0) services.missed.searched(actor, query, hits.length);
      const present = await rowPresenter(services, actor, page);
      return {
        data: page.map((hit) => ({ sop: present(hit), ...hit.shown })),
        ...(hits.length > next ? { nextCursor: writeHitCursor(next) } : {}),
        ...(query.total === "true" ? { total: hits.length } : {}),
        ...(spelled === null ? {} : { showingFor: spelled }),
        ...(didYouMean === null ? {} : { didYouMean }),
        ...(services.search.isBehind(actor.companyId) ? { behind: true as const } : {}),
      };
    },
  };
}
