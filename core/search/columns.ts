/** Makes the index entry of one version: words by the part of the document, as stems and as written. */
import { decodeReferences } from "#core/markdown/plain-text.ts";
import { wordNumbersOf, stemLanguageOf, type StemLanguage } from "./analyse.ts";
import { joinedCompoundOf } from "./words.ts";
import { createFirstOccurrenceTest, isEmptyWordNumber, stemOfWord, textOfWord } from "./lexicon.ts";

export interface IndexedText {
  /** The number, such as `SOP-0042`. */
  number: string;
  title: string;
  description: string;
  tags: readonly string[];
  lang: string | null;
  markdown: string;
}

/** The words of each part, separated by spaces. */
export interface Columns {
  title: string;
  description: string;
  body: string;
  /** Each word that differs from its stem, once, because an unfinished query word can be longer than the stem. */
  words: string;
}

const wordsAtMost = 20_000;
/** The number of words that decide a text's language. */
const sampled = 200;

/**
 * The words by which a search finds a number: the compound `sop42` for `SOP-0042`, or all words of a number without a
 * compound: `QM.01-003`.
 *
 * @param words the words of the number, compounds last
 */
export function searchWordsOfNumber(number: string, words: readonly string[]): readonly string[] {
  const parts = number.split("-");
  return !number.includes(".") && joinedCompoundOf(parts) !== null ? words.slice(-1) : words;
}

export function searchColumnsOf(text: IndexedText): Columns {
  const [number = [], title = [], description = [], all = []] = wordNumbersOf(
    text.number,
    text.title,
    [text.description, ...text.tags].join("\n"),
    searchableText(text.markdown),
  );
  const body = all.length > wordsAtMost ? all.slice(0, wordsAtMost) : all;
  const isTold = (text.lang ?? "") !== "";
  const sample = isTold ? [] : body.length > 0 ? body.slice(0, sampled) : [...title, ...description];
  const { stems, inflected } = createStemCollector(stemLanguageOf(text.lang, sample.map(textOfWord)));
  return {
    title: `${stems(title)} ${searchWordsOfNumber(text.number, number.map(textOfWord)).join(" ")}`,
    description: stems(description),
    body: stems(body),
    words: inflected.join(" "),
  };
}

/** Returns a function that turns words into `stems`, and the list in which it collects words that differ from theirs. */
function createStemCollector(language: StemLanguage) {
  const isNew = createFirstOccurrenceTest();
  const inflected: string[] = [];
  const newStems = (words: readonly number[]) => {
    const found: string[] = [];
    for (const word of words) {
      const stem = language === "none" ? textOfWord(word) : stemOfWord(word);
      if (isNew(word)) {
        const text = textOfWord(word);
        if (stem !== text) inflected.push(text);
      } else if (isEmptyWordNumber(word)) {
        // a query drops such a word unless it has no other, so one occurrence is enough
        continue;
      }
      found.push(stem);
    }
    return found.join(" ");
  };
  return { stems: newStems, inflected };
}

/**
 * Removes text that readers don't see: link destinations, tags, character references. It uses no Markdown parser,
 * because an index is made of thousands of texts.
 */
export function searchableText(markdown: string): string {
  let text = markdown;
  if (text.includes("](")) text = text.replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "]");
  if (text.includes("<")) text = text.replace(/<\/?[a-z][^>]*>/gi, (tag) => (/^<\/?su[bp]>$/i.test(tag) ? "" : " "));
  if (text.includes("&")) text = decodeReferences(text);
  return text;
}
