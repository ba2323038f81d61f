/** The entries of a review: changes, the text around them, and collapsed unchanged parts. */
import type { MergeComparison, MergePlace, MergeSide } from "#core/diff/places.ts";

export interface SideChoice {
  side: MergeSide;
  label: string;
  /** The key for this choice. */
  shortcut: string;
}

/**
 * A single place, or unchanged places that are collapsed. `index` is the index of a change in the comparison; -1 for
 * unchanged text.
 */
export type PlaceEntry = { index: number; place: MergePlace } | { unchanged: MergePlace[] };

/** The number of unchanged places shown before and after a change. */
const unchangedPlacesShown = 1;

export function reviewEntriesOf({ places }: MergeComparison, isChange: (place: MergePlace) => boolean): PlaceEntry[] {
  const found: PlaceEntry[] = [];
  let quiet: MergePlace[] = [];
  const flushUnchanged = (isLast: boolean): void => {
    const head = found.length > 0 ? unchangedPlacesShown : 0;
    const tail = isLast ? 0 : unchangedPlacesShown;
    const folded = quiet.length > head + tail + 1 ? quiet.splice(head, quiet.length - head - tail) : [];
    const rest = quiet.splice(head);
    found.push(...quiet.map(entryOfPlace));
    if (folded.length > 0) found.push({ unchanged: folded });
    found.push(...rest.map(entryOfPlace));
    quiet = [];
  };
  places.forEach((place, index) => {
    if (!isChange(place)) {
      if (currentTextOf(place) !== "") quiet.push(place);
      return;
    }
    flushUnchanged(false);
    found.push({ index, place });
  });
  flushUnchanged(true);
  return found;
}

const entryOfPlace = (place: MergePlace): PlaceEntry => ({ index: -1, place });

/** Says whether a side changed the place. */
export const isChangedPlace = ({ by }: MergePlace): boolean => by !== "none";

/** Returns the current text of a place, no matter which side changed it. */
export function currentTextOf({ mine }: MergePlace): string {
  return mine;
}

/** Returns Markdown that can be rendered alone: a table row gets its table's header. */
export function withTableHead({ kind, head }: MergePlace, markdown: string): string {
  return kind === "row" && markdown !== head ? `${head}\n${markdown}` : markdown;
}
