/** Requests and answers of a search. */
import { z } from "zod";
import { Paging } from "../contract/parts.ts";
import { SearchMatch } from "../sops/search-match.ts";
import { SopQuery, SopRow } from "../sops/schema.ts";

export const searchLimit = { default: 10, max: 50 } as const;
/** Answers of one search that can be paged through: beyond them a better question finds more. */
export const deepestHit = 500;

/** Filtered like a list, by what the user sees. */
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
/** The words of a search that found nothing. */
export const SearchAsk = z.strictObject({ q: z.string().trim().min(1).max(200) }).meta({ id: "SearchAsk" });
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchHit = SearchMatch.extend({ sop: SopRow }).meta({ id: "SearchHit" });
export type SearchHit = z.output<typeof SearchHit>;

export const SearchPage = z
  .object({
    data: z.array(SearchHit),
    nextCursor: z.string().optional(),
    total: z.int().optional(),
    /** The question that was answered, where the one asked had a slip in it: "Showing results for …". */
    showingFor: z.string().optional(),
    /** A near question that has more answers, offered beside those of the one asked. */
    didYouMean: z.string().optional(),
    /** The last changes may be missing: the server's disk is full. */
    behind: z.literal(true).optional(),
  })
  .meta({ id: "SearchPage" });
