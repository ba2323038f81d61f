import { AppError } from "#core/errors.ts";
import { deepestHit } from "#core/search/schema.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { withIds } from "../sops/list/named-filters.ts";
import { rowPresenter } from "../sops/view/present.ts";
import { findPage } from "./find.ts";
import { glossaryOf } from "./glossary.ts";

export function searchHandlers(services: Services): Handlers<"search"> {
  return {
    async find({ identity: { actor }, query: asked }) {
      const query = await withIds(services, actor, asked);
      const from = readCursor(query.cursor);
      const next = from + query.limit;
      const wanted = query.total === "true" ? deepestHit : Math.min(deepestHit, next + 1);
      const synonyms = await glossaryOf(services, actor.companyId);
      const { hits, page, spelled } = await findPage(services, actor, query, {
        wanted,
        synonyms,
        shown: { from, to: next },
      });
      if (from === 0) services.missed.searched(actor, query, hits.length);
      const present = await rowPresenter(services, actor, page);
      return {
        data: page.map((hit) => ({ sop: present(hit), ...hit.shown })),
        ...(hits.length > next ? { nextCursor: writeCursor(next) } : {}),
        ...(query.total === "true" ? { total: hits.length } : {}),
        ...(spelled === null ? {} : { showingFor: spelled }),
        ...(services.search.isBehind(actor.companyId) ? { behind: true as const } : {}),
      };
    },
  };
}

function writeCursor(from: number): string {
  return Buffer.from(`hit ${from}`).toString("base64url");
}

/** @throws AppError invalid_input for a cursor that the server didn't give */
function readCursor(text: string | undefined): number {
  if (text === undefined) return 0;
  const from = Number(/^hit (\d{1,4})$/.exec(Buffer.from(text, "base64url").toString())?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) {
    throw new AppError("invalid_input", "The cursor is not valid: start again without it", { cursor: "not valid" });
  }
  return from;
}
