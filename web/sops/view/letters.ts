/** Reads the letters of a shown text, in which a search result is found, and their places on the page. */
import { isInlineTag } from "#core/comments/blocks.ts";
import { notOfTextAttribute } from "../../comments/not-of-text.ts";

/** A start and an end (exclusive) in `letters`. */
export type Span = readonly [start: number, end: number];

export interface Letters {
  /** Letters and digits only, because search has no markup and separates table cells. */
  letters: string;
  /** The text, or the image whose alternative text it is, of each letter. */
  places: readonly { node: Text | HTMLImageElement; offset: number; beginsWord: boolean }[];
  spans: ReadonlyMap<Element, Span>;
}

/** Matches words that the page adds to the text. */
const addedWordsSelector = `[${notOfTextAttribute}], .alert-title, [data-footnote-ref], [data-footnote-backref], #footnote-label`;
const letter = /[\p{L}\p{N}]/u;

export function lettersAndDigitsOf(text: string): string {
  // The small form of Σ depends on its position in the word, so both forms become σ.
  return text
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

export function readLetters(article: Element): Letters {
  let letters = "";
  let beginsWord = true;
  const places: Letters["places"][number][] = [];
  const spans = new Map<Element, Span>();
  const addWords = (node: Text | HTMLImageElement, words: string) => {
    let offset = 0;
    for (const character of words) {
      if (letter.test(character)) {
        const folded = lettersAndDigitsOf(character);
        letters += folded;
        for (let unit = 0; unit < folded.length; unit++)
          places.push({ node, offset, beginsWord: beginsWord && unit === 0 });
      }
      beginsWord = !letter.test(character);
      offset += character.length;
    }
  };
  const visitElement = (element: Element) => {
    const isBlock = !isInlineTag(element.localName);
    const start = letters.length;
    beginsWord ||= isBlock || element.localName === "br";
    for (const node of element.childNodes) {
      if (node instanceof Text) addWords(node, node.data);
      else if (node instanceof HTMLImageElement) addWords(node, node.alt);
      else if (node instanceof Element && !node.matches(addedWordsSelector)) visitElement(node);
    }
    beginsWord ||= isBlock;
    spans.set(element, [start, letters.length]);
  };
  visitElement(article);
  return { letters, places, spans };
}

/** Returns the index of `words` in a span, at the beginning of a word if possible; -1 if they aren't there. */
export function indexOfWords({ letters, places }: Letters, words: string, [from, to]: Span): number {
  if (words === "") return -1;
  const indexes: number[] = [];
  for (let at = letters.indexOf(words, from); at !== -1 && at + words.length <= to; at = letters.indexOf(words, at + 1))
    indexes.push(at);
  return indexes.find((at) => places[at]?.beginsWord) ?? indexes[0] ?? -1;
}

export function rangeOfLetters({ places }: Letters, [start, end]: Span): Range | null {
  const [first, last] = [places[start], places[end - 1]];
  if (!first || !last) return null;
  const range = document.createRange();
  if (first.node instanceof Text) range.setStart(first.node, first.offset);
  else range.setStartBefore(first.node);
  if (last.node instanceof Text) range.setEnd(last.node, Math.min(last.offset + 1, last.node.length));
  else range.setEndAfter(last.node);
  return range;
}
