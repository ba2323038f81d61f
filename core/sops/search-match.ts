/** The places in an SOP where a search found its words. */
import { z } from "zod";

const Range = z.tuple([z.int(), z.int()]);
/** A text with marked words: the ranges are UTF-16 offsets of the query's words in `text`. */
const Marked = z.object({ text: z.string(), ranges: z.array(Range) });

const SearchStep = z.object({
  /** An id in the rendered text: of the step, or else of the heading above; null above the first heading. */
  anchor: z.string().nullable(),
  heading: z.string().nullable(),
  /** The number of a step as shown; null for another piece of the text. */
  number: z.string().nullable(),
  /** The whole text of the piece without markup, to find it below the heading. */
  text: z.string(),
  /** The first words of the piece that match; missing for a heading. */
  words: z.string().optional(),
});

/** A match without its score, because the rarity of a word would reveal texts that the user can't see. */
export const SearchMatch = z
  .object({
    title: Marked,
    /** The excerpt of the step, or of the description if no step matches. */
    snippet: Marked,
    /** The best place in the text; null if only title, description or tags contain the words. */
    step: SearchStep.nullable(),
    /** Words of the query that were not found in the SOP. */
    missing: z.array(z.string()),
  })
  .meta({ id: "SearchMatch" });
export type SearchMatch = z.output<typeof SearchMatch>;
