import { nonWord } from "../prose.ts";

export interface EnglishWord {
  /** The word in lower case, with straight apostrophes. */
  text: string;
  raw: string;
  start: number;
  end: number;
}

const pattern = new RegExp(`[\\p{L}\\p{N}${nonWord}](?:[\\p{L}\\p{N}'’${nonWord}-]*[\\p{L}\\p{N}${nonWord}])?`, "gu");

/** The words of a text and their offsets. */
export function englishWordsOf(text: string): EnglishWord[] {
  const words: EnglishWord[] = [];
  for (const match of text.matchAll(pattern)) {
    const raw = match[0];
    const start = match.index;
    words.push({ text: raw.toLowerCase().replaceAll("’", "'"), raw, start, end: start + raw.length });
  }
  return words;
}

const spaces = /\s+/;
const hasWord = new RegExp(`[\\p{L}\\p{N}${nonWord}]`, "u");

/** Counts words as people do: each run of text between spaces with a letter or a digit. */
export function countWords(text: string): number {
  let count = 0;
  for (const part of text.split(spaces)) if (hasWord.test(part)) count += 1;
  return count;
}

export interface SentencePart {
  text: string;
  start: number;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|approx|vs|no|nos|fig|figs|max|min|dr|mr|mrs|ms|cf|al|ex|incl|dept|ref|vol|p|pp|sec|art)\.$/i;
// The repetitions are limited, because a long line of full stops would otherwise take quadratic time.
const ending = /[.!?;:]{1,5}["'”’)\]]{0,3}(?=\s)/g;

/** Splits a text into sentences. A semicolon or a colon ends a sentence too, as in ASD-STE100. */
export function sentencesOf(text: string): SentencePart[] {
  const sentences: SentencePart[] = [];
  let start = 0;
  const addSentence = (end: number): void => {
    const part = text.slice(start, end);
    const blank = part.length - part.trimStart().length;
    if (part.trim() !== "") sentences.push({ text: part.trim(), start: start + blank });
    start = end;
  };
  for (const match of text.matchAll(ending)) {
    const end = match.index + match[0].length;
    if (abbreviation.test(text.slice(start, end))) continue;
    addSentence(end);
  }
  addSentence(text.length);
  return sentences;
}
