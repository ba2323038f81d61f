/**
 * Known words, each with a number and its analysis. An index has millions of words but only about ten thousand
 * different ones, so each is analyzed once. A word's number is valid until the next call into this module.
 */
import { stemmer } from "stemmer";
import { isEmptyWord } from "./empty-words.ts";
import { joinedCompoundOf, foldedSearchWord, wordPartsOf, wordRunAt, unitStartIn } from "./words.ts";

const spellingsAtMost = 100_000;
/**
 * Word forms in lower case, as written, with their numbers: "operator's" and "operator" are two spellings of one word.
 */
const numbers = new Map<string, number>();
const spellings: string[] = [];
const wordOf: number[] = [];
const stems: string[] = [];
/** For each word, the number of the test of `createFirstOccurrenceTest` in which the word last occurred. */
const lastOccurredIn: number[] = [];
const isEmptyByNumber: boolean[] = [];
let counts = 0;
/** The latest spelling for each hash, so that known spellings need no new string. */
const recent = new Int32Array(1 << 16).fill(-1);

/** Returns the words of each text as numbers of this lexicon. Apostrophes and hyphens must be ASCII. */
export function wordNumbersIn(texts: readonly string[]): number[][] {
  resetWhenFull();
  return texts.map(scanWords);
}

/** Returns the folded text of a word. */
export function textOfWord(word: number): string {
  return spellings[word] ?? "";
}

export function stemOfWord(word: number): string {
  return stems[word] ?? "";
}

/** @param text a folded word, as in `searchWordsOf` */
export function englishStem(text: string): string {
  resetWhenFull();
  return stemOfWord(spellingNumberOf(text));
}

/** Tells whether a word, given by its number, has no meaning by itself. */
export function isEmptyWordNumber(word: number): boolean {
  return isEmptyByNumber[word] ?? false;
}

/** Returns a function that tells whether a word occurs for the first time. Only the newest function is valid. */
export function createFirstOccurrenceTest(): (word: number) => boolean {
  const current = ++counts;
  return (word) => lastOccurredIn[word] !== current && ((lastOccurredIn[word] = current), true);
}

function resetWhenFull(): void {
  if (spellings.length < spellingsAtMost) return;
  numbers.clear();
  for (const list of [spellings, wordOf, stems, lastOccurredIn, isEmptyByNumber]) list.length = 0;
  recent.fill(-1);
}

/**
 * The number of a spelling, which is added with its analysis if it is new. Each folded text is a spelling of itself.
 */
function spellingNumberOf(spelling: string): number {
  const known = numbers.get(spelling);
  if (known !== undefined) return known;
  const text = foldedSearchWord(spelling);
  const number = spellings.push(spelling) - 1;
  numbers.set(spelling, number);
  stems.push(/^[a-z]{3,}$/.test(text) ? stemmer(text) : text);
  wordOf.push(number);
  lastOccurredIn.push(0);
  isEmptyByNumber.push(isEmptyWord(text));
  if (text !== spelling) wordOf[number] = spellingNumberOf(text);
  return number;
}

function wordNumber(spelling: string): number {
  return wordOf[spellingNumberOf(spelling)] ?? 0;
}

/** The lower case of each ASCII character that can be part of a word; 0 for others. */
const letters = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});
const apostrophe = 39;
const hyphen = 45;

function scanWords(text: string): number[] {
  const found: number[] = [];
  const { length } = text;
  let joined: string[] = [];
  for (let at = 0; at < length;) {
    const from = at;
    let code = 0;
    let hash = 0;
    for (; at < length; at++) {
      code = text.charCodeAt(at);
      if (letterOfCode(code) === 0 && (code !== apostrophe || at === from || !isWordCharAt(text, at + 1))) break;
      hash = Math.imul(hash, 0x01000193) + (code | 32);
    }
    const before = found.length;
    if (code > 127) {
      const run = wordRunAt(text, from);
      for (const part of wordPartsOf(run)) {
        const start = from + part.start;
        const unit = unitStartIn(text, start, start + part.text.length);
        if (unit > start) found.push(wordNumber(foldedSearchWord(text.slice(start, unit))));
        found.push(wordNumber(foldedSearchWord(text.slice(unit, start + part.text.length))));
      }
      at = from + Math.max(1, run.length);
    } else if (at === from) {
      at++;
    } else {
      const unit = unitStartIn(text, from, at);
      if (unit > from)
        found.push(
          wordNumber(foldedSearchWord(text.slice(from, unit))),
          wordNumber(foldedSearchWord(text.slice(unit, at))),
        );
      else found.push(asciiWordNumber(text, from, at, hash));
    }
    if (found.length === before) continue;
    const goesOn = text.charCodeAt(at) === hyphen && isWordCharAt(text, at + 1);
    if (!goesOn && joined.length === 0) continue;
    const last = found.at(-1) ?? 0;
    if (joined.length > 0) {
      joined.push(textOfWord(found[before] ?? 0));
      if (goesOn && found.length === before + 1) continue;
      const compound = joinedCompoundOf(joined);
      if (compound !== null) found.push(wordNumber(compound));
      joined = [];
    }
    if (goesOn) joined.push(textOfWord(last));
  }
  return found;
}

/** @param hash the hash of the word's letters in lower case */
function asciiWordNumber(text: string, from: number, to: number, hash: number): number {
  const slot = (hash ^ (hash >>> 16)) & 0xffff;
  const last = recent[slot] ?? -1;
  if (last >= 0 && isSpellingAt(text, from, to, spellings[last] ?? "")) return wordOf[last] ?? 0;
  const number = spellingNumberOf(text.slice(from, to).toLowerCase());
  recent[slot] = number;
  return wordOf[number] ?? 0;
}

function isSpellingAt(text: string, from: number, to: number, spelling: string): boolean {
  if (spelling.length !== to - from) return false;
  for (let at = 0; at < spelling.length; at++) {
    const code = text.charCodeAt(from + at);
    if (spelling.charCodeAt(at) !== (code === apostrophe ? apostrophe : letterOfCode(code))) return false;
  }
  return true;
}

function letterOfCode(code: number): number {
  return code < 128 ? (letters[code] ?? 0) : 0;
}

function isWordCharAt(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const code = text.charCodeAt(at);
  return letterOfCode(code) !== 0 || (code > 127 && wordRunAt(text, at) !== "");
}
