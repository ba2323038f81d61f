/** Requests and answers of a search. */
import { z } from "zod";
import { Paging } from "../contract/parts.ts";
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
export type SearchQuery = z.output<typeof SearchQuery>;

const Range = z.tuple([z.int(), z.int()]);
/** Ranges are UTF-16 offsets of the query's words in `text`. */
const Marked = z.object({ text: z.string(), ranges: z.array(Range) });

export const SearchStep = z.object({
  /** Id of the heading above it, in the rendered text; null above the first. */
  anchor: z.string().nullable(),
  heading: z.string().nullable(),
  /** The number of a step, as shown; null for any other piece of the text. */
  number: z.string().nullable(),
  /** All of its text, without marks: what to look for below the heading. */
  text: z.string(),
});

/** Without its score: the rarity of a word would reveal texts that the user can't see. */
export const SearchHit = z
  .object({
    sop: SopRow,
    title: Marked,
    /** The snippet of the step, or of the description without a matching step. */
    snippet: Marked,
    /** The best place in the text; null when the words are only in title, description or tags. */
    step: SearchStep.nullable(),
    /** Words of the question that were not found in it. */
    missing: z.array(z.string()),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = z.output<typeof SearchHit>;

export const SearchPage = z
  .object({
    data: z.array(SearchHit),
    nextCursor: z.string().optional(),
    total: z.int().optional(),
    /** The question that was answered, where the one asked had a slip in it: "Showing results for …". */
    showingFor: z.string().optional(),
    /** The last changes may be missing: the server's disk is full. */
    behind: z.literal(true).optional(),
  })
  .meta({ id: "SearchPage" });
