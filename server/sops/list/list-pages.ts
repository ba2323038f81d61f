/** Stores pages of lists as sent, until their data changes. Most lists are read more often than they change. */
import type { Actor } from "#core/permissions/actor.ts";
import type { SopQuery } from "#core/sops/schema.ts";
import { held } from "../../capacity/resources.ts";
import type { Collections } from "../../database/documents.ts";
import type { Database } from "../../database/port.ts";
import type { EncodedJson } from "../../http/encoded.ts";

/** The collections that a page reads. The company's glossary matters to search. */
const shown = ["sops", "users", "categories", "sop_marks", "companies"] as const;

export type PageKeeper = (actor: Actor, query: SopQuery, make: () => Promise<EncodedJson>) => Promise<EncodedJson>;

/** Exact where the database knows of every commit (the embedded engine); elsewhere nothing is kept. */
export function createPageKeeper(db: Pick<Database<Collections>, "revision">): PageKeeper {
  const pages = new Map<string, { revision: number; page: EncodedJson }>();
  return async (actor, query, make) => {
    const revision = db.revision(shown);
    // a time range moves with the clock, and so does what is due
    const moves =
      (query.time !== undefined && query.time !== "anytime") || (query.review ?? query.recent) !== undefined;
    if (revision === null || moves) return make();
    const key = JSON.stringify([actor, query]);
    const known = pages.get(key);
    if (known?.revision === revision) return known.page;
    const page = await make();
    if (pages.size >= held.listPages.atMost) pages.delete(pages.keys().next().value as string);
    pages.delete(key);
    pages.set(key, { revision, page });
    return page;
  };
}
