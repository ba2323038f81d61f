/**
 * Compares texts by their words alone, to find out who wrote the words of a text. Letters and digits count, in any case
 * and width. Markup, punctuation, line breaks and positions in lists don't.
 */
import { foldWord, invisible } from "../text/fold.ts";

/** A shorter sentence says nothing about its author, because anyone could write it: "Wear gloves." */
const fewestWords = 4;
/** The maximum number of words that are compared as one sentence. Longer sentences are split. */
const mostWords = 24;
/** A longer sentence counts as the same if at most one in this number of words differs. */
const wordsPerEdit = 4;

/**
 * Scripts without spaces between words, whose characters are compared as words. The number says how many characters
 * count as one word.
 */
const signsPerWord: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Han}/u, 2],
  [/\p{Script=Hangul}/u, 3],
  [/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, 4],
];
const sign = signsPerWord.map(([script]) => script.source).join("|");
const word = new RegExp(`${sign}|(?:(?!${sign})[\\p{L}\\p{N}])+`, "gu");
const markdownSigns = /[*_~`\\]/g;
const tagOrEntity = /<\/?[a-z][^<>]*>|&#?\w{1,31};/gi;
const marker = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ x]\])?\s+)*/i;
const fence = /^[\s>]*(?:=+|`{3,}.*|~{3,}.*)$/;
const sentenceEnd = /(?<=[.!?])[)"'”’\]*_]*\s+|(?<=[。！？।؟])/u;

export function wordsOfMarkdown(markdown: string): string[] {
  return foldedWordsIn(
    markdown
      .split("\n")
      .map((line) => line.replace(marker, ""))
      .join("\n"),
  );
}

function foldedWordsIn(text: string): string[] {
  return (
    foldWord(text.replace(tagOrEntity, " ").replace(invisible, "").replace(markdownSigns, ""))
      .replace(/\p{M}+/gu, "")
      .match(word) ?? []
  );
}

/** Returns the length of a sentence in words. Characters of scripts without spaces count as fractions of a word. */
export function sentenceWeightOf(words: readonly string[]): number {
  return words.reduce((sum, one) => sum + 1 / (signsPerWord.find(([script]) => script.test(one))?.[1] ?? 1), 0);
}

/**
 * Returns the sentences of a section that are long enough to show who wrote them, as lists of words. Short neighboring
 * sentences are joined.
 * @param known a cache of the sentences of paragraphs, for texts that share most paragraphs
 */
export function comparableSentencesOf(section: readonly string[], known = new Map<string, string[][]>()): string[][] {
  const sentences = section.flatMap((block) => {
    const said = known.get(block) ?? block.split(sentenceEnd).map(foldedWordsIn);
    known.set(block, said);
    return said.filter(({ length }) => length > 0);
  });
  const weights = sentences.map(sentenceWeightOf);
  return sentences.flatMap((sentence, first) => {
    if ((weights[first] ?? 0) >= fewestWords) return splitEvenly(sentence);
    let weight = 0;
    for (let last = first; (weights[last] ?? fewestWords) < fewestWords; last++) {
      weight += weights[last] ?? 0;
      if (weight >= fewestWords) return [sentences.slice(first, last + 1).flat()];
    }
    return [];
  });
}

function splitEvenly(words: string[]): string[][] {
  const count = Math.ceil(words.length / mostWords);
  const size = Math.ceil(words.length / count);
  return Array.from({ length: count }, (_, index) => words.slice(index * size, (index + 1) * size));
}

/** Tells whether a line is only markup: the line under a heading, a rule, a table's separator or a code fence. */
function isMarkupLine(line: string): boolean {
  return fence.test(line) || (line.includes("-") && line.replace(/[\s>|:-]+/g, "") === "");
}

/** Returns the paragraphs, list items and table rows of each section, without headings and header rows. */
export function blocksBySection(markdown: string): string[][] {
  const sections: string[][] = [[]];
  let isOpen = false;
  const lines = markdown.split("\n");
  for (const [index, line] of lines.entries()) {
    const isHead = /^\s*\|/.test(line) && /^[\s>]*\|[\s|:-]+$/.test(lines[index + 1] ?? "");
    const said = line.replace(marker, "");
    const blocks = sections.at(-1) ?? [];
    if (/^#{1,6}\s/.test(said)) sections.push([]);
    else if (!isHead && !isMarkupLine(line) && said.trim() !== "") {
      const goesOn = isOpen && said.trim() === line.trim() && !/^\s*\|/.test(line);
      if (goesOn) blocks.push(`${blocks.pop() ?? ""} ${said}`);
      else blocks.push(said);
      isOpen = true;
      continue;
    }
    isOpen = false;
  }
  return sections;
}

/**
 * Returns the number of word edits between a sentence and the most similar words of a text; Infinity if more than a
 * quarter of the words differ.
 */
export type EditDistanceTo = (sentence: readonly string[]) => number;

/** The maximum number of stored positions of a pair of words. A pair that occurs more often doesn't help the search. */
const placesAtMost = 50;

export function createEditDistanceTo(words: readonly string[]): EditDistanceTo {
  const places = new Map<string, number[]>();
  for (let at = 0; at + 1 < words.length; at++) {
    const key = `${words[at]} ${words[at + 1]}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else if (known.length < placesAtMost) known.push(at);
  }
  return (sentence) => {
    if (sentence.length === 1) return words.includes(sentence[0] ?? "") ? 0 : Infinity;
    const edits = sentence.length > wordsPerEdit ? Math.floor(sentence.length / wordsPerEdit) : 0;
    let least = Infinity;
    const seen = new Set<number>();
    // with at most this many edits, one part of the sentence occurs unchanged in the text
    const size = Math.floor(sentence.length / (edits + 1));
    for (let part = 0; part <= edits; part++) {
      const from = part * size;
      let rarest: { at: number; places: readonly number[] } | null = null;
      for (let at = from; at + 1 < from + size; at++) {
        const here = places.get(`${sentence[at]} ${sentence[at + 1]}`) ?? [];
        if (rarest === null || here.length < rarest.places.length) rarest = { at, places: here };
      }
      for (const place of rarest?.places ?? []) {
        const start = place - (rarest?.at ?? 0) - edits;
        if (seen.has(start)) continue;
        seen.add(start);
        const near = words.slice(Math.max(0, start), start + sentence.length + 2 * edits);
        least = Math.min(least, editsToSentence(sentence, near));
        if (least === 0) return 0;
      }
    }
    return least <= edits ? least : Infinity;
  };
}

/** Returns the number of words to add, remove or replace until the sentence is part of the text. */
function editsToSentence(sentence: readonly string[], text: readonly string[]): number {
  const row = text.map(() => 0);
  for (const [index, one] of sentence.entries()) {
    let [before, last] = [index, index + 1];
    for (const [at, other] of text.entries()) {
      const above = row[at] ?? 0;
      last = Math.min(before + (one === other ? 0 : 1), above + 1, last + 1);
      row[at] = last;
      before = above;
    }
  }
  return Math.min(sentence.length, ...row);
}

/**
 * Creates a filter that accepts a sentence if `text` contains it, and `settled` contains it less exactly or not at all.
 */
export function createCloserMatchFilter(
  text: EditDistanceTo,
  settled: EditDistanceTo,
): (sentence: readonly string[]) => boolean {
  return (sentence) => {
    const edits = text(sentence);
    return edits < Infinity && edits < settled(sentence);
  };
}

/** The number of hashes stored for each text. Two texts that share most words share some of these hashes. */
const marksAtMost = 8;

/** Returns the smallest hashes of a text's word sequences, by which an index finds nearly equal texts. */
export function sequenceHashesOf(markdown: string): string[] {
  const words = wordsOfMarkdown(markdown);
  if (words.length === 0) return [];
  const codes = words.map(wordHashOf);
  const runs = new Set<number>();
  const size = Math.min(fewestWords, words.length);
  for (let at = 0; at + size <= codes.length; at++) {
    let run = 0;
    for (let next = at; next < at + size; next++) run = mixedHash(run ^ (codes[next] ?? 0));
    runs.add(run >>> 0);
  }
  return [...runs]
    .sort((one, other) => one - other)
    .slice(0, marksAtMost)
    .map((mark) => mark.toString(36));
}

function wordHashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

function mixedHash(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
