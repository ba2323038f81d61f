/** Makes the excerpt of a text with the query's words highlighted, in the search thread. */
import { searchWordsOf } from "#core/search/analyse.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { searchChunksOf, type Chunk } from "#core/search/chunks.ts";
import { searchWordsOfNumber } from "#core/search/columns.ts";
import {
  bestChunkFor,
  excerptAroundMatch,
  firstMatchOf,
  queryTermsIn,
  highlightTerms,
  createTermFinder,
} from "#core/search/highlight.ts";
import type { QueryTerm } from "#core/search/query.ts";
import type { SearchHit } from "#core/search/schema.ts";
import { stepIdOfPiece } from "#core/steps/step-of-piece.ts";
import { stepAnchor } from "#core/steps/steps-of.ts";
import type { ShownText } from "./index-file.ts";

/** A hit without its SOP. */
export type HitExcerpt = Omit<SearchHit, "sop">;

interface TextPieces {
  chunks: Chunk[];
  /** The anchors of those steps that hits showed. */
  anchors: Map<Chunk, string | null>;
}

/**
 * The pieces of the texts shown last, by text: the search runs at each typed letter and shows mostly the same texts.
 */
const recentTexts = new Map<string, TextPieces>();
const charactersAtMost = 4 * 1024 * 1024;
let recentCharacters = 0;

export function createExcerpts(texts: readonly ShownText[], terms: readonly QueryTerm[]): HitExcerpt[] {
  const finder = createTermFinder({ terms });
  return texts.map((text) => {
    const pieces = cachedPiecesOf(text.markdown);
    const { chunks } = pieces;
    const title = highlightTerms(text.title, finder);
    const description = highlightTerms(text.description, finder);
    const best = bestChunkFor(chunks, finder, terms.length);
    const isShown = (term: QueryTerm) => [title, description, best].some((one) => one?.terms.has(term) === true);
    const unseen = terms.filter((term) => !isShown(term) && !isNumberOf(text.number, term));
    // the whole text is searched only for words that the shown parts lack
    const elsewhere = unseen.length === 0 ? [] : [text.tags, chunks.map((chunk) => chunk.text)];
    const others = elsewhere.map((parts) => queryTermsIn(parts.join("\n"), finder));
    const isBest = best !== null && best.terms.size >= description.terms.size;
    return {
      title: { text: title.text, ranges: title.ranges },
      snippet: excerptAroundMatch(isBest ? best : description),
      step: best && {
        anchor: stepAnchorOf(text.markdown, pieces, best.chunk) ?? best.chunk.anchor,
        heading: best.chunk.heading,
        number: best.chunk.step,
        text: best.text,
        ...(best.chunk.text === "" ? {} : { words: firstMatchOf(best) }),
      },
      missing: unseen.filter((term) => !others.some((found) => found.has(term))).map(({ raw }) => raw),
    };
  });
}

/**
 * Returns the pieces of a text from the cache, or adds them. Removes the texts that were shown longest ago from the
 * cache.
 */
function cachedPiecesOf(markdown: string): TextPieces {
  const pieces = recentTexts.get(markdown) ?? { chunks: searchChunksOf(markdown), anchors: new Map() };
  recentCharacters += recentTexts.delete(markdown) ? 0 : markdown.length;
  recentTexts.set(markdown, pieces);
  for (const oldest of recentTexts.keys()) {
    if (recentCharacters <= charactersAtMost) break;
    recentTexts.delete(oldest);
    recentCharacters -= oldest.length;
  }
  return pieces;
}

/** Returns an anchor of this step that stays valid when other parts of the text change; null without such an anchor. */
function stepAnchorOf(markdown: string, { chunks, anchors }: TextPieces, chunk: Chunk): string | null {
  if (chunk.step === null || chunks.filter(({ text }) => text === chunk.text).length > 1) return null;
  const known = anchors.get(chunk);
  if (known !== undefined) return known;
  const id = stepIdOfPiece(parseMarkdown(markdown), chunk);
  const anchor = id === null ? null : stepAnchor(id);
  anchors.set(chunk, anchor);
  return anchor;
}

/** Says whether a term is the SOP's number, which no text contains. */
function isNumberOf(number: string, { raw }: QueryTerm): boolean {
  return searchWordsOfNumber(
    number,
    searchWordsOf(number).map(({ text }) => text),
  ).includes(raw);
}
