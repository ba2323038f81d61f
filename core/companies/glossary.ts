/** Reads and writes a company's synonyms: rows of words with one meaning. */

import { sentences, type MessageWithId } from "../language/catalog.ts";
import { foldWord } from "../text/fold.ts";

const refusals = sentences("core.companies.glossary", {
  inLine: "Line {line}: {problem}",
  rows: "At most {most} lines",
  oneWord: "write at least two words that mean the same",
  words: "at most {most} words mean the same",
  longWord: "“{start}…” is longer than {characters} characters",
  silent: "“{word}” has neither letter nor digit",
});

/** Rows of words or phrases with one meaning. */
export type Glossary = readonly (readonly string[])[];

export const glossaryLimits = { rows: 200, words: 10, characters: 60 } as const;

export interface GlossaryFault {
  /** The line number, from 1. */
  line: number;
  message: MessageWithId;
}

/** Parses a glossary. @param text one row per line, with commas between its words; blank lines are ignored */
export function readGlossary(text: string): { rows: string[][]; faults: GlossaryFault[] } {
  const rows: string[][] = [];
  const faults: GlossaryFault[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const words = distinctWords(line.split(/[,;，、]/).map((word) => word.trim().replace(/\s+/g, " ")));
    if (words.length === 0) continue;
    rows.push(words);
    const problem = glossaryRowProblem(words);
    if (problem !== null) faults.push({ line: index + 1, message: refusals.inLine({ line: index + 1, problem }) });
  }
  if (rows.length > glossaryLimits.rows) {
    faults.push({ line: glossaryLimits.rows + 1, message: refusals.rows({ most: glossaryLimits.rows }) });
  }
  return { rows, faults };
}

export function writeGlossary(rows: Glossary): string {
  return rows.map((words) => words.join(", ")).join("\n");
}

/** Returns the problem of a row; null for a valid row. */
export function glossaryRowProblem(words: readonly string[]): MessageWithId | null {
  const { words: most, characters } = glossaryLimits;
  if (words.length < 2) return refusals.oneWord();
  if (words.length > most) return refusals.words({ most });
  const long = words.find((word) => word.length > characters);
  if (long !== undefined) return refusals.longWord({ start: long.slice(0, 20), characters });
  const silent = words.find((word) => !/[\p{L}\p{N}]/u.test(word));
  return silent === undefined ? null : refusals.silent({ word: silent });
}

function distinctWords(words: readonly string[]): string[] {
  const known = new Map(words.filter((word) => word !== "").map((word) => [word.toLowerCase(), word]));
  return [...known.values()];
}

const otherWordsAtMost = 5;

/**
 * Finds the rows with a word or phrase that is in a search text. Returns the other words of these rows, at most five.
 */
export function synonymsInGlossary(question: string, glossary: Glossary): string[] {
  const plainWords = (text: string) => ` ${(foldWord(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
  const asked = plainWords(question);
  const isAsked = (words: string) => asked.includes(plainWords(words));
  const others = glossary.filter((row) => row.some(isAsked)).flatMap((row) => row.filter((words) => !isAsked(words)));
  return distinctWords(others).slice(0, otherWordsAtMost);
}
