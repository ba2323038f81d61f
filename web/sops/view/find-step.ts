/** Finds the place of a search result in the text of an SOP. */
import { indexOfWords, rangeOfLetters, readLetters, lettersAndDigitsOf, type Span } from "./letters.ts";
import type { StepTarget } from "./step-target.ts";

const pieceSelector = "li, tr, dt, dd, p, pre, blockquote, figure, figcaption, caption, summary";
const headingSelector = "h1, h2, h3, h4, h5, h6";
/** Headings inside these elements begin no section. */
const innerSelector = "blockquote, li, .alert, table, .footnotes";

interface FoundPlace {
  /** The step or another piece of the text, to highlight. */
  piece: HTMLElement;
  /** The words that the search found; null if the text no longer has them there. */
  words: Range | null;
}

/** Finds the step, or another piece of the text, that the target names. */
export function findStep(article: HTMLElement, target: StepTarget): HTMLElement | null {
  return findPlace(article, target)?.piece ?? null;
}

/**
 * Finds the step by its id. If the id is gone, it takes a piece below the same heading that begins with the same text,
 * or else the words, or else the heading, or else any piece that begins with the text. Footnotes count as below each
 * heading, because the page shows them at its end.
 */
export function findPlace(article: HTMLElement, { anchor, step, at, words }: StepTarget): FoundPlace | null {
  const all = (selector: string) => [...article.querySelectorAll<HTMLElement>(selector)];
  const named = all("[id]").find(({ id }) => id === anchor) ?? null;
  const heading = named?.matches(headingSelector) === true ? named : null;
  if (at === null && named === heading) return heading && { piece: heading, words: null };

  const text = readLetters(article);
  const spanOf = (element: Element): Span => text.spans.get(element) ?? [0, 0];
  const found = lettersAndDigitsOf(words ?? "");
  const wordsIn = (span: Span): Range | null => {
    const start = indexOfWords(text, found, span);
    return start === -1 ? null : rangeOfLetters(text, [start, start + found.length]);
  };
  // The id belongs to a step and not to a heading.
  if (named && named !== heading) return { piece: named, words: wordsIn(spanOf(named)) };

  const target = lettersAndDigitsOf(at ?? "");
  const begins = all(pieceSelector).filter((piece) => {
    const [start, end] = spanOf(piece);
    return end > start && text.letters.startsWith(target, start);
  });
  const titles = all(headingSelector).filter((one) => !one.closest(innerSelector));
  const spans = [sectionOf(heading, titles, anchor, spanOf), ...all(".footnotes").map(spanOf)];
  const below = begins.filter((piece) =>
    spans.some(([from, to]) => from <= spanOf(piece)[0] && spanOf(piece)[1] <= to),
  );
  const numbered = below.filter((piece) => step === null || listItemNumberOf(piece) === step);
  const piece = numbered.find((one) => wordsIn(spanOf(one))) ?? numbered[0] ?? below[0];
  const own = piece ? wordsIn(spanOf(piece)) : null;
  if (piece && (own || step !== null)) return { piece, words: own };
  // Search treats an alert or an HTML block as one piece, which has several elements on the page.
  const after = piece ? spans.map(([, to]): Span => [spanOf(piece)[0], to]) : [];
  for (const span of [...after, ...spans]) {
    const other = wordsIn(span);
    if (other) return { piece: pieceAround(other) ?? article, words: other };
  }
  const last = piece ?? heading ?? begins[0];
  return last ? { piece: last, words: null } : null;
}

/**
 * Returns the text between a heading and the next heading, or above the first. If the heading is gone, the whole text.
 */
function sectionOf(
  heading: HTMLElement | null,
  titles: readonly HTMLElement[],
  anchor: string,
  spanOf: (element: Element) => Span,
): Span {
  if (heading === null && anchor !== "") return [0, Infinity];
  const next = titles[heading === null ? 0 : titles.indexOf(heading) + 1];
  return [heading ? spanOf(heading)[1] : 0, next ? spanOf(next)[0] : Infinity];
}

function pieceAround({ startContainer: node }: Range): HTMLElement | null {
  return (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(pieceSelector) ?? null;
}

/** Returns the number of a list item as shown; null outside numbered lists. */
function listItemNumberOf(piece: HTMLElement): string | null {
  const list = piece.parentElement;
  if (!(list instanceof HTMLOListElement)) return null;
  return String(list.start + [...list.children].indexOf(piece));
}
