/** Finds the place of a search result in the text of an SOP. */
import type { StepTarget } from "./step-target.ts";

const pieces = "li, tr, dt, dd, p, pre, blockquote, figcaption";
const headings = "h1, h2, h3, h4, h5, h6";

/**
 * Finds the step by its id. If the id is gone, it takes a piece below the same heading that begins with the same text,
 * or else the heading, or else any piece that begins with the text.
 */
export function findStep(article: HTMLElement, { anchor, step, at }: StepTarget): HTMLElement | null {
  const all = [...article.querySelectorAll<HTMLElement>(headings)];
  const named = [...article.querySelectorAll<HTMLElement>("[id]")].find(({ id }) => id === anchor) ?? null;
  const heading = named && all.includes(named) ? named : null;
  // The id belongs to a step.
  if (named !== heading) return named;
  if (at === null) return heading;
  const target = withoutMarkup(at);
  const begins = [...article.querySelectorAll<HTMLElement>(pieces)].filter((piece) =>
    withoutMarkup(piece.textContent).startsWith(target),
  );
  const below =
    heading === null && anchor !== "" ? begins : begins.filter((piece) => lastHeadingBefore(all, piece) === heading);
  const found = below.filter((piece) => step === null || listItemNumberOf(piece) === step);
  return found[0] ?? below[0] ?? heading ?? begins[0] ?? null;
}

/** Leaves out punctuation and spaces, because the search has no marks and separates table cells. */
function withoutMarkup(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The last heading before a piece. */
function lastHeadingBefore(all: readonly HTMLElement[], piece: HTMLElement): HTMLElement | null {
  const isBefore = (heading: HTMLElement) =>
    (heading.compareDocumentPosition(piece) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return all.findLast(isBefore) ?? null;
}

/** The number of a list item as shown; null outside numbered lists. */
function listItemNumberOf(piece: HTMLElement): string | null {
  const list = piece.parentElement;
  if (!(list instanceof HTMLOListElement)) return null;
  return String(list.start + [...list.children].indexOf(piece));
}
