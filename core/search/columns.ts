/** What stands in the index of one version: words apart by where they stand, once as stems and once as they are. */
import { stemLanguageOf, stemOf, wordTexts, type StemLanguage } from "./analyse.ts";

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
  /** Each word that is not its own stem, once: what is typed of a word may be longer than its stem. */
  words: string;
}

const wordsAtMost = 20_000;

export function columnsOf(text: IndexedText): Columns {
  const number = wordTexts(text.number).at(-1) ?? "";
  const title = wordTexts(text.title);
  const description = wordTexts([text.description, ...text.tags].join("\n"));
  const body = wordTexts(plainText(text.markdown)).slice(0, wordsAtMost);
  const language = stemLanguageOf(text.lang, body.length > 0 ? body : [...title, ...description]);
  const inflected: string[] = [];
  const seen = stemsOnce(language, (word) => inflected.push(word));
  return {
    title: `${seen(title)} ${number}`,
    description: seen(description),
    body: seen(body),
    words: inflected.join(" "),
  };
}

let marks = 0;
const known = new Map<string, { stem: string; mark: number }>();
const knownAtMost = 100_000;

/** Stems of words, telling once of each word that is not its own stem. One look-up a word: there are millions. */
function stemsOnce(language: StemLanguage, inflected: (word: string) => void): (words: readonly string[]) => string {
  if (language === "none") return (words) => words.join(" ");
  const mark = ++marks;
  return (words) => {
    const stems: string[] = [];
    for (const word of words) {
      let entry = known.get(word);
      if (!entry) {
        entry = { stem: stemOf(word, language), mark: 0 };
        if (known.size >= knownAtMost) known.clear();
        known.set(word, entry);
      }
      if (entry.mark !== mark && entry.stem !== word) inflected(word);
      entry.mark = mark;
      stems.push(entry.stem);
    }
    return stems.join(" ");
  };
}

/** Without what is not read: where links lead, tags, signs written as entities. The analyser splits at all other marks. */
export function plainText(markdown: string): string {
  let text = markdown;
  if (text.includes("](")) text = text.replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "]");
  if (text.includes("<")) text = text.replace(/<\/?[a-z][^>]*>/gi, " ");
  if (text.includes("&")) text = text.replace(/&(?:[a-z]+|#\d+);/gi, " ");
  return text;
}
