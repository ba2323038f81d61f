/** Where a search found its words in an SOP. */
import { z } from "zod";

const Range = z.tuple([z.int(), z.int()]);
/** Ranges are UTF-16 offsets of the query's words in `text`. */
const Marked = z.object({ text: z.string(), ranges: z.array(Range) });

export const SearchStep = z.object({
  /** An id in the rendered text: of a step, else of the heading above; null above the first. */
  anchor: z.string().nullable(),
  heading: z.string().nullable(),
  /** The number of a step, as shown; null for any other piece of the text. */
  number: z.string().nullable(),
  /** All of its text, without marks: what to look for below the heading. */
  text: z.string(),
});

/** Without its score: the rarity of a word would reveal texts that the user can't see. */
export const SearchMatch = z
  .object({
    title: Marked,
    /** The snippet of the step, or of the description without a matching step. */
    snippet: Marked,
    /** The best place in the text; null when the words are only in title, description or tags. */
    step: SearchStep.nullable(),
    /** Words of the question that were not found in it. */
    missing: z.array(z.string()),
  })
  .meta({ id: "SearchMatch" });
export type SearchMatch = z.output<typeof SearchMatch>;
