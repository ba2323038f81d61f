/** The entries of a review: changes, the text around them, and collapsed unchanged parts. */
import type { Comparison, Place, Side } from "#core/diff/places.ts";

export interface Choice {
  side: Side;
  label: string;
  /** The key for this choice. */
  shortcut: string;
}

export type Entry = { index: number; place: Place } | { unchanged: Place[] };

/** The number of unchanged places shown on each side of a change. */
const context = 1;

export function entriesOf({ places }: Comparison, isChange: (place: Place) => boolean): Entry[] {
  const found: Entry[] = [];
  let quiet: Place[] = [];
  const flush = (isLast: boolean): void => {
    const head = found.length > 0 ? context : 0;
    const tail = isLast ? 0 : context;
    const folded = quiet.length > head + tail + 1 ? quiet.splice(head, quiet.length - head - tail) : [];
    const rest = quiet.splice(head);
    found.push(...quiet.map(shown));
    if (folded.length > 0) found.push({ unchanged: folded });
    found.push(...rest.map(shown));
    quiet = [];
  };
  places.forEach((place, index) => {
    if (!isChange(place)) {
      if (textOf(place) !== "") quiet.push(place);
      return;
    }
    flush(false);
    found.push({ index, place });
  });
  flush(true);
  return found;
}

const shown = (place: Place): Entry => ({ index: -1, place });

/** The current text of a place, no matter who changed it. */
export function textOf({ mine }: Place): string {
  return mine;
}

/** Markdown that can be rendered by itself: a table row gets its table's header. */
export function withTableHead({ kind, head }: Place, markdown: string): string {
  return kind === "row" && markdown !== head ? `${head}\n${markdown}` : markdown;
}
