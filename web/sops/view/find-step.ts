/** The place of a search answer in the text of an SOP. */
import type { StepTarget } from "./step-target.ts";

const pieces = "li, tr, dt, dd, p, pre, blockquote, figcaption";
const headings = "h1, h2, h3, h4, h5, h6";

/** The step; where it is gone its heading, where that is gone a piece of the same text; else null. */
export function findStep(article: HTMLElement, { anchor, step, at }: StepTarget): HTMLElement | null {
  const all = [...article.querySelectorAll<HTMLElement>(headings)];
  const named = [...article.querySelectorAll<HTMLElement>("[id]")].find(({ id }) => id === anchor) ?? null;
  const heading = named && all.includes(named) ? named : null;
  // a step, by its id
  if (named !== heading) return named;
  if (at === null) return heading;
  const target = withoutMarkup(at);
  const begins = [...article.querySelectorAll<HTMLElement>(pieces)].filter((piece) =>
    withoutMarkup(piece.textContent).startsWith(target),
  );
  const below =
    heading === null && anchor !== "" ? begins : begins.filter((piece) => headingOf(all, piece) === heading);
  const found = below.filter((piece) => step === null || numberOf(piece) === step);
  return found[0] ?? below[0] ?? heading ?? begins[0] ?? null;
}

/** Signs and spaces aside: a table's cells stand apart, marks are gone. */
function withoutMarkup(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The last heading before it. */
function headingOf(all: readonly HTMLElement[], piece: HTMLElement): HTMLElement | null {
  const isBefore = (heading: HTMLElement) =>
    (heading.compareDocumentPosition(piece) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return all.findLast(isBefore) ?? null;
}

/** Of an item of a numbered list: as it is shown. */
function numberOf(piece: HTMLElement): string | null {
  const list = piece.parentElement;
  if (!(list instanceof HTMLOListElement)) return null;
  return String(list.start + [...list.children].indexOf(piece));
}
