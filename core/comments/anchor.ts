/**
 * Finds the place of a comment in a changed text. A block is identified by the hash of its words, because only headings
 * have ids. In a changed block, the quoted words and their context give the place.
 */
import { withSingleSpaces } from "./blocks.ts";
import { shortHash } from "#core/text/short-hash.ts";

/** Matches a word, or a single letter of a script without spaces. */
const wordOrLetter =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{N}\p{M}])+/gu;

interface QuoteRun {
  /** The offset of the run in the text. */
  start: number;
  end: number;
  /** The part of the quote's letters that the run contains, 0 to 1. */
  share: number;
}

/** A version's text, prepared for searches: all blocks joined by single spaces. */
export interface AnchorText {
  text: string;
  blocks: readonly { key: string; hash: string; start: number; length: number }[];
}

/** The position that is stored with a comment. */
export interface CommentAnchor {
  block: string;
  quote: string;
  /** The offset of the quote in the block's text. */
  start: number;
  /** The text before and after the quote. */
  before: string;
  after: string;
}

/**
 * A range of the text. `start` and `end` are offsets in the text of `block`; `end` can lie beyond it, in the next
 * blocks.
 */
export interface AnchoredRange {
  block: string;
  start: number;
  end: number;
}

const contextCharacters = 48;
/** The length from which a quote identifies its place. For a shorter quote, the text around it must match too. */
const tellingCharacters = 24;
const contextNeeded = 8;
const candidatesAtMost = 1_000;

/** Prepares a text for searches. @param blocks the words of each block, with single spaces (`blocksOfHtml`) */
export function createAnchorText(blocks: readonly string[]): AnchorText {
  const seen = new Map<string, number>();
  let start = 0;
  const listed = blocks.map((block) => {
    const hash = shortHash(block);
    const nth = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, nth);
    const entry = { key: `${hash}-${nth}`, hash, start, length: block.length };
    start += block.length + 1;
    return entry;
  });
  return { text: blocks.join(" "), blocks: listed };
}

/** Creates the anchor for the selected words. @returns null if the words aren't in this text */
export function createAnchor(
  text: AnchorText,
  chosen: { block: string; quote: string; start?: number },
): CommentAnchor | null {
  const quote = withSingleSpaces(chosen.quote);
  if (quote === "") return null;
  const block = text.blocks.find(({ key }) => key === chosen.block);
  const expected = block ? block.start + (chosen.start ?? 0) : 0;
  const places = occurrencesOfQuote(text.text, quote);
  const at = bestRanked(places, (place) => [-Math.abs(place - expected)]);
  return at === undefined ? null : anchorAtOffset(text, at, quote);
}

function anchorAtOffset(text: AnchorText, at: number, quote: string): CommentAnchor | null {
  const place = blockPlaceAt(text, at, at + quote.length);
  if (!place) return null;
  return {
    block: place.block,
    quote,
    start: place.start,
    before: text.text.slice(Math.max(0, at - contextCharacters), at),
    after: text.text.slice(at + quote.length, at + quote.length + contextCharacters),
  };
}

/** Finds an anchor's place in another version of the text. @returns null if the quoted text is gone */
export function findAnchoredRange(text: AnchorText, anchor: CommentAnchor): AnchoredRange | null {
  return findExactQuote(text, anchor) ?? findPartOfQuote(text, anchor);
}

/**
 * Finds the exact quote: in a block of the same words if there is one, else at the place with the most similar context.
 */
function findExactQuote(text: AnchorText, anchor: CommentAnchor): AnchoredRange | null {
  const { quote } = anchor;
  const hash = anchor.block.split("-")[0] ?? "";
  const inSameBlock = new Map(
    text.blocks.filter((block) => block.hash === hash).map((block) => [block.start + anchor.start, block.key]),
  );
  const places = occurrencesOfQuote(text.text, quote).filter(
    (at) => inSameBlock.has(at) || isConclusive(quote, contextSimilarity(text.text, at, at + quote.length, anchor)),
  );
  const at = bestRanked(places, (place) => [
    Number(inSameBlock.has(place)),
    contextSimilarity(text.text, place, place + quote.length, anchor),
    Number(inSameBlock.get(place) === anchor.block),
  ]);
  return at === undefined ? null : blockPlaceAt(text, at, at + quote.length);
}

/** Finds the longest part of the quote that is still in the text, if it is at least half of the quote. */
function findPartOfQuote(text: AnchorText, anchor: CommentAnchor): AnchoredRange | null {
  const runs = longestSharedRuns(anchor.quote, text.text);
  const found = bestRanked(
    runs.filter(({ start, end, share }) => {
      const part = text.text.slice(start, end);
      return share >= 0.5 && part.includes(" ") && isConclusive(part, contextSimilarity(text.text, start, end, anchor));
    }),
    ({ start, end }) => [contextSimilarity(text.text, start, end, anchor)],
  );
  return found ? blockPlaceAt(text, found.start, found.end) : null;
}

function isConclusive(quote: string, like: number): boolean {
  return quote.length >= tellingCharacters || like >= contextNeeded;
}

/** Counts the characters around a place that match the text around the quote. */
function contextSimilarity(text: string, start: number, end: number, { before, after }: CommentAnchor): number {
  let [left, right] = [0, 0];
  while (left < before.length && left < start && text[start - left - 1] === before[before.length - left - 1]) left++;
  while (right < after.length && text[end + right] === after[right]) right++;
  return left + right;
}

function blockPlaceAt({ blocks }: AnchorText, start: number, end: number): AnchoredRange | null {
  const block = blocks.findLast((one) => one.start <= start);
  return block ? { block: block.key, start: start - block.start, end: end - block.start } : null;
}

function occurrencesOfQuote(text: string, quote: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(quote); at !== -1 && found.length < candidatesAtMost; at = text.indexOf(quote, at + 1)) {
    found.push(at);
  }
  return found;
}

/** Returns the candidate with the greatest rank, compared number by number; the first of equal ones. */
function bestRanked<T>(candidates: readonly T[], rankOf: (candidate: T) => readonly number[]): T | undefined {
  let [found, rank]: [T | undefined, readonly number[]] = [undefined, []];
  for (const candidate of candidates) {
    const next = rankOf(candidate);
    const differs = next.findIndex((value, index) => value !== rank[index]);
    if (found === undefined || (differs !== -1 && (next[differs] ?? 0) > (rank[differs] ?? 0))) {
      [found, rank] = [candidate, next];
    }
  }
  return found;
}

/**
 * Finds the longest sequence of words that two texts share. Scripts without spaces are compared letter by letter.
 * @returns every place in `text` with the longest run; an empty list if the texts share no word
 */
function longestSharedRuns(quote: string, text: string): QuoteRun[] {
  const wanted = wordsWithOffsets(quote);
  const words = wordsWithOffsets(text);
  const places = new Map<string, number[]>(wanted.map(({ text: one }) => [one, []]));
  words.forEach(({ text: one }, index) => places.get(one)?.push(index));
  const total = wanted.reduce((sum, { text: one }) => sum + one.length, 0);

  let longest = 0;
  let found: { first: number; last: number }[] = [];
  // for each word: the length, in letters and words, of the shared run that ends with it
  let ending = new Map<number, { letters: number; count: number }>();
  for (const { text: one } of wanted) {
    const next = new Map<number, { letters: number; count: number }>();
    for (const place of places.get(one) ?? []) {
      const before = ending.get(place - 1) ?? { letters: 0, count: 0 };
      const run = { letters: before.letters + one.length, count: before.count + 1 };
      next.set(place, run);
      if (run.letters < longest) continue;
      if (run.letters > longest) found = [];
      longest = run.letters;
      found.push({ first: place - run.count + 1, last: place });
    }
    ending = next;
  }
  return found.flatMap(({ first, last }) => {
    const [from, to] = [words[first], words[last]];
    return from && to ? [{ start: from.at, end: to.at + to.length, share: longest / total }] : [];
  });
}

function wordsWithOffsets(text: string): { text: string; at: number; length: number }[] {
  return [...text.matchAll(wordOrLetter)].map((match) => ({
    text: match[0].toLowerCase(),
    at: match.index,
    length: match[0].length,
  }));
}
