/** What stands in the index of one version: words apart by where they stand, once as stems and once as they are. */
import { stemLanguageOf, stemOf, wordsOf, type StemLanguage, type Word } from "./analyse.ts";
import { chunksOf } from "./chunks.ts";

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
  /** Every word once, as it is written: for beginnings of words, which a stem may be shorter than. */
  words: string;
}

const wordsAtMost = 20_000;

export function columnsOf(text: IndexedText): Columns {
  const number = wordsOf(text.number).at(-1)?.text ?? "";
  const title = wordsOf(text.title);
  const description = wordsOf([text.description, ...text.tags].join("\n"));
  const body = wordsOf(plainText(text.markdown)).slice(0, wordsAtMost);
  const language = stemLanguageOf(text.lang, body.length > 0 ? body : [...title, ...description]);
  const raw = new Set([number]);
  for (const words of [title, description, body]) for (const word of words) raw.add(word.text);
  return {
    title: `${stems(title, language)} ${number}`,
    description: stems(description, language),
    body: stems(body, language),
    words: [...raw].join(" "),
  };
}

/** The words of a text line by line: a heading's once, where it stands. */
export function plainText(markdown: string): string {
  return chunksOf(markdown)
    .map(({ text, heading }) => (text === "" ? (heading ?? "") : text))
    .join("\n");
}

function stems(words: readonly Word[], language: StemLanguage): string {
  return words.map(({ text }) => stemOf(text, language)).join(" ");
}
