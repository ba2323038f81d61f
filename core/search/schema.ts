/** Requests and answers of the search. */
import { z } from "zod";
import { Paging } from "../contract/parts.ts";
import { SearchMatch } from "../sops/search-match.ts";
import { SopRow } from "../sops/schema.ts";
import { SopQuery } from "../sops/list-schema.ts";

const searchLimit = { default: 10, max: 50 } as const;
/** The maximum number of hits that a user can page through. */
export const deepestHit = 500;

/** The query of a search, with the filters of the list of SOPs. */
export const SearchQuery = z.strictObject({
  q: z.string().max(200).default(""),
  limit: z.coerce.number().int().min(1).max(searchLimit.max).default(searchLimit.default),
  cursor: Paging.cursor,
  total: Paging.total,
  ...SopQuery.pick({
    view: true,
    category: true,
    status: true,
    tag: true,
    owner: true,
    team: true,
    lang: true,
    time: true,
    template: true,
    mine: true,
    favorite: true,
    review: true,
  }).shape,
});
/** The words of a search without results, for a request to write such an SOP. */
export const SearchAsk = z.strictObject({ q: z.string().trim().min(1).max(200) }).meta({ id: "SearchAsk" });
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchHit = SearchMatch.extend({ sop: SopRow }).meta({ id: "SearchHit" });
export type SearchHit = z.output<typeof SearchHit>;

export const SearchPage = z
  .object({
    data: z.array(SearchHit),
    nextCursor: z.string().optional(),
    total: z.int().optional(),
    /** The corrected query that was answered, if the user's query had a typo: "Showing results for …". */
    showingFor: z.string().optional(),
    /** A similar query with more answers, offered beside the answers. */
    didYouMean: z.string().optional(),
    /** True if the last changes may be missing, because the server's disk is full. */
    behind: z.literal(true).optional(),
  })
  .meta({ id: "SearchPage" });
