/** The index of one version: words by their place, once as stems and once as written. */
import { decodeReferences } from "#core/markdown/plain-text.ts";
import { knownWordsOf, stemLanguageOf, type StemLanguage } from "./analyse.ts";
import { compoundOf } from "./words.ts";
import { firstMeetings, isStopWord, wordStem, wordText } from "./lexicon.ts";

export interface IndexedText {
  /** `SOP-0042` */
  number: string;
  title: string;
  description: string;
  tags: readonly string[];
  lang: string | null;
  markdown: string;
}

/** Words with spaces between them. */
export interface Columns {
  title: string;
  description: string;
  body: string;
  /** Each word that is not its own stem, once, because typed text can be longer than the stem. */
  words: string;
}

const wordsAtMost = 20_000;
/** The number of words that decide a text's language. */
const sampled = 200;

/**
 * The words that find a number: `sop42` of `SOP-0042`, and all of them where they make no compound: `QM.01-003`.
 *
 * @param words of the number, its compounds last
 */
export function numberWords(number: string, words: readonly string[]): readonly string[] {
  const parts = number.split("-");
  return !number.includes(".") && compoundOf(parts) !== null ? words.slice(-1) : words;
}

export function columnsOf(text: IndexedText): Columns {
  const [number = [], title = [], description = [], all = []] = knownWordsOf(
    text.number,
    text.title,
    [text.description, ...text.tags].join("\n"),
    plainText(text.markdown),
  );
  const body = all.length > wordsAtMost ? all.slice(0, wordsAtMost) : all;
  const isTold = (text.lang ?? "") !== "";
  const sample = isTold ? [] : body.length > 0 ? body.slice(0, sampled) : [...title, ...description];
  const { stems, inflected } = counter(stemLanguageOf(text.lang, sample.map(wordText)));
  return {
    title: `${stems(title)} ${numberWords(text.number, number.map(wordText)).join(" ")}`,
    description: stems(description),
    body: stems(body),
    words: inflected.join(" "),
  };
}

/** Words as the index takes them; keeps of each word that is not its own stem that it was there. */
function counter(language: StemLanguage) {
  const isNew = firstMeetings();
  const inflected: string[] = [];
  const stems = (words: readonly number[]) => {
    const found: string[] = [];
    for (const word of words) {
      const stem = language === "none" ? wordText(word) : wordStem(word);
      if (isNew(word)) {
        const text = wordText(word);
        if (stem !== text) inflected.push(text);
      } else if (isStopWord(word)) {
        // a query drops it unless it has nothing else: one place is enough
        continue;
      }
      found.push(stem);
    }
    return found.join(" ");
  };
  return { stems, inflected };
}

/**
 * Without what is not read: where links lead, tags, references of characters. The analyser splits at all other marks. It reads
 * the text without a parser: an index is made of thousands of texts.
 */
export function plainText(markdown: string): string {
  let text = markdown;
  if (text.includes("](")) text = text.replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "]");
  if (text.includes("<")) text = text.replace(/<\/?[a-z][^>]*>/gi, (tag) => (/^<\/?su[bp]>$/i.test(tag) ? "" : " "));
  if (text.includes("&")) text = decodeReferences(text);
  return text;
}
