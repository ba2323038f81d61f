/** The list of SOPs in requests and answers: the query, its rows and filters. */
import { z } from "zod";
import { Id, Paging, ReadersView, pageSchemaOf } from "../contract/parts.ts";
import { recentRanges } from "../favorites/rules.ts";
import { limits } from "../limits.ts";
import { Lang, SopRow } from "./schema.ts";
import { SearchMatch } from "./search-match.ts";
import { sopSorts } from "./sorts.ts";
import { shownStatuses } from "./statuses.ts";

const timeRanges = ["7d", "30d", "3m"] as const;

export const SopQuery = z.strictObject({
  ...Paging,
  view: ReadersView,
  category: z.string().max(100).optional(),
  /** `published`: readers have a version. `scheduled`: the latest version waits for its day. An SOP can match two. */
  status: z.enum([...shownStatuses, "all"]).optional(),
  tag: z.string().min(1).max(limits.tagCharacters).optional(),
  /** A user's id or username, or `none`. */
  owner: z.string().min(1).max(100).optional(),
  /** A team's id or slug, or `none`. */
  team: z.string().min(1).max(100).optional(),
  /** A language tag. `de` includes `de-AT`. */
  lang: Lang.optional(),
  /** The order; by default the best match of a search, else `-updated`. */
  sort: z.enum(sopSorts).optional(),
  facets: z.enum(["true"]).optional(),
  search: z.string().max(200).optional(),
  time: z.enum([...timeRanges, "anytime"]).optional(),
  template: z.enum(["true", "false"]).optional(),
  mine: z.enum(["true"]).optional(),
  /** Returns only favorites of the user. */
  favorite: z.enum(["true"]).optional(),
  /** Returns SOPs that the user opened or changed in this range, sorted by the last time. */
  recent: z.enum(recentRanges).optional(),
  /** Returns published SOPs with a review that is due within 30 days or overdue. */
  review: z.enum(["due"]).optional(),
});
export type SopQuery = z.output<typeof SopQuery>;

/** A value of a filter, with the number of SOPs that it leaves in the list; `label` is the text for people. */
const Facet = z.object({ value: z.string(), label: z.string(), count: z.int() });
export type Facet = z.output<typeof Facet>;
/**
 * The most frequent values of each filter, counted among the SOPs that match all other filters. In `status`, the value
 * `all` counts the SOPs that are not archived.
 */
export const SopFacets = z
  .object({
    category: z.array(Facet),
    status: z.array(Facet),
    owner: z.array(Facet),
    tag: z.array(Facet),
    team: z.array(Facet),
    lang: z.array(Facet),
  })
  .meta({ id: "SopFacets" });
export type SopFacets = z.output<typeof SopFacets>;

/** A row of the list. With a search, `match` says where the words were found. */
const ListedRow = SopRow.extend({ match: SearchMatch.optional() }).meta({ id: "ListedSop" });
export type ListedRow = z.output<typeof ListedRow>;

export const SopPage = pageSchemaOf(ListedRow).extend({
  facets: SopFacets.optional(),
  /** The number of the company's SOPs that the server can't read, so that no list has them. Absent for none. */
  unreadable: z.int().optional(),
  /** The corrected words, if the search words had a typo. */
  showingFor: z.string().optional(),
  /** A similar query with more answers, offered beside the answers. */
  didYouMean: z.string().optional(),
  /** True if no SOP contains all words of the search, so that the rows contain most of them. */
  mostWords: z.literal(true).optional(),
  /** Words of the company's glossary with the same meaning as words of the search. */
  alsoCalled: z.array(z.string()).optional(),
  /** Titles that are spelled like the search, if nothing was found. */
  nearTitles: z.array(z.object({ id: Id, title: z.string() })).optional(),
});
