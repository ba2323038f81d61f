import { AppError } from "#core/errors.ts";
import { actorForList } from "#core/permissions/can.ts";
import { deepestHit } from "#core/search/schema.ts";
import { transactionFor } from "../database/turns.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { withResolvedFilters } from "../sops/list/named-filters.ts";
import { recordRequestForSop, missedWordsOf } from "../suggestions/missed-searches.ts";
import { createRowPresenter } from "../sops/view/present.ts";
import { findHitsPage } from "./find.ts";
import { readHitCursor, writeHitCursor } from "./hit-cursor.ts";
import { loadGlossary } from "./glossary.ts";
import { refusals } from "./refusals.ts";

export function searchHandlers(services: Services): Handlers<"search"> {
  const { db, clock } = services;
  return {
    async ask(call) {
      const { actor } = call.identity;
      const words = missedWordsOf(call.body);
      if (words === null) {
        const message = refusals.longerWords();
        throw new AppError("invalid_input", message, { q: message });
      }
      const at = clock.now();
      const { companyId } = actor;
      await transactionFor(db, companyId, async (tx) => {
        const entityId = await recordRequestForSop(tx, actor, words, at);
        await recordChange(
          tx,
          call,
          { companyId, at, hears: { resources: ["stats"] } },
          { action: "search.ask", entityType: "suggestion", entityId, changes: { words } },
        );
      });
      return { ok: true };
    },

    async find({ identity, query: asked }) {
      const actor = actorForList(identity.actor, asked);
      const query = await withResolvedFilters(services, actor, asked);
      const from = readHitCursor(query.cursor);
      const next = from + query.limit;
      const wanted = query.total === "true" ? deepestHit : Math.min(deepestHit, next + 1);
      const synonyms = await loadGlossary(services, actor.companyId);
      const { hits, page, spelled, didYouMean } = await findHitsPage(services, actor, query, {
        wanted,
        synonyms,
        shown: { from, to: next },
      });
      if (from === 0) services.missed.searched(actor, query, hits.length);
      const present = await createRowPresenter(services, actor, page);
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
