/**
 * The words of a part of an index. Each word has the rows in which it occurs, with its weight there. Words are never
 * removed.
 */
import { typosAllowed, editDistance } from "#core/text/distance.ts";

/**
 * The number of bits for the weight. Rows of a part are numbered from 0; a posting is `row << weightBits | inTitle |
 * weight`.
 */
export const weightBits = 12;
export const inTitle = 1 << (weightBits - 1);
export const largestWeight = inTitle - 1;
const allBits = (1 << weightBits) - 1;
export const rowsAtMost = 1 << (32 - weightBits);

export interface NearWord {
  word: string;
  slips: number;
  /** 0 if only two letters changed places, else 1. */
  replaced: number;
  /** 1 if only the beginning of the word is near the typed text, else 0. */
  begun: number;
  rows: number;
}

/** A word that can correct a typed word. The smaller the distance, the more likely the user meant it. */
export interface NearestWord {
  word: string;
  /** The distance: two letters that changed places count 1, another typo 2, each further typo 2 more. */
  distance: number;
}

/** The length from which the first letter may differ. In a shorter word, another first letter makes another word. */
const anyFirstLetterFrom = 5;
const unsortedAtMost = 500;
const noPostings = new Uint32Array(0);

export class WordLists {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #letters: number[] = [];
  /** The postings of each word. Most words occur once, so a single posting needs no array. */
  readonly #lists: (Uint32Array | number)[] = [];
  readonly #lengths: number[] = [];
  /** The numbers of the sorted words, in alphabetical order. */
  #sorted: number[] = [];

  /** @param weight at most `largestWeight`, with `inTitle` if the word is in the title */
  add(word: string, row: number, weight: number): void {
    const posting = ((row << weightBits) | weight) >>> 0;
    const number = this.#numbers.get(word);
    if (number === undefined) {
      this.#numbers.set(word, this.#words.length);
      this.#words.push(word);
      this.#letters.push(letterBits(word));
      this.#lists.push(posting);
      this.#lengths.push(1);
      return;
    }
    const length = this.#lengths[number] ?? 0;
    this.#lists[number] = appendPosting(this.#lists[number] ?? noPostings, length, posting);
    this.#lengths[number] = length + 1;
  }

  /** Removes a posting completely, so that later queries don't read it. */
  remove(word: string, row: number): void {
    const number = this.#numbers.get(word);
    if (number === undefined) return;
    const list = this.#listOf(number);
    const at = bisectFirstIndex(list.length, (index) => (list[index] ?? 0) >>> weightBits >= row);
    if (at === list.length || (list[at] ?? 0) >>> weightBits !== row) return;
    list.copyWithin(at, at + 1);
    this.#lists[number] = list;
    this.#lengths[number] = list.length - 1;
  }

  postings(word: string): Uint32Array {
    const number = this.#numbers.get(word);
    return number === undefined ? noPostings : this.#listOf(number);
  }

  /** Returns the posting lists of all words that begin with this text. */
  beginning(start: string): Uint32Array[] {
    this.#sort();
    const lists: Uint32Array[] = [];
    for (let number = this.#sorted.length; number < this.#words.length; number++) {
      if (this.#words[number]?.startsWith(start) === true) lists.push(this.#listOf(number));
    }
    for (let at = this.#firstFrom(start); at < this.#sorted.length; at++) {
      const number = this.#sorted[at] ?? 0;
      if (this.#words[number]?.startsWith(start) !== true) break;
      lists.push(this.#listOf(number));
    }
    return lists;
  }

  /** Finds words near `typed`, in any order. With `isBegun`, beginnings of words count too. */
  *nearWords(typed: string, isBegun: boolean): Generator<NearWord> {
    const allowed = typosAllowed(typed.length);
    if (allowed === 0) return;
    const own = letterBits(typed);
    const anyFirst = typed.length >= anyFirstLetterFrom;
    for (let number = 0; number < this.#words.length; number++) {
      const rows = this.#lengths[number] ?? 0;
      if (rows === 0) continue;
      // each typo adds or removes at most one letter
      if (countBits(own & ~(this.#letters[number] ?? 0)) > allowed) continue;
      const word = this.#words[number] ?? "";
      const longer = word.length - typed.length;
      const canBegin = isBegun && longer > 0 && anyFirst;
      if (longer < -allowed || (longer > allowed && !canBegin)) continue;
      if (!anyFirst && word[0] !== typed[0]) continue;
      if (/^\d+$/.test(word)) continue;
      const { full, prefix } = editDistance(typed, word, allowed);
      const slips = Math.min(full, canBegin ? prefix : full);
      if (slips === 0 || slips > allowed) continue;
      const begun = full === slips ? 0 : 1;
      const replaced = hasSameLetters(typed, begun === 0 ? word : word.slice(0, typed.length)) ? 0 : 1;
      yield { word, slips, replaced, begun, rows };
    }
  }

  /** Updates the postings after rows were removed. @param numbers the new row number at the index of each old one */
  renumber(numbers: Int32Array): void {
    for (let number = 0; number < this.#words.length; number++) {
      this.#lists[number] = this.#listOf(number).map(
        (posting) => ((numbers[posting >>> weightBits] ?? 0) << weightBits) | (posting & allBits),
      );
    }
  }

  /** The number of postings, as a measure of the used memory. */
  get size(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  #listOf(number: number): Uint32Array {
    const list = this.#lists[number] ?? noPostings;
    return typeof list === "number" ? Uint32Array.of(list) : list.subarray(0, this.#lengths[number]);
  }

  #sort(): void {
    if (this.#words.length - this.#sorted.length <= unsortedAtMost) return;
    for (let number = this.#sorted.length; number < this.#words.length; number++) this.#sorted.push(number);
    const words = this.#words;
    this.#sorted.sort((one, other) => ((words[one] ?? "") < (words[other] ?? "") ? -1 : 1));
  }

  #firstFrom(start: string): number {
    return bisectFirstIndex(this.#sorted.length, (index) => (this.#words[this.#sorted[index] ?? 0] ?? "") >= start);
  }
}

/** Finds the first index for which `isFar` is true, by bisection. `isFar` must be true for all later indexes. */
function bisectFirstIndex(length: number, isFar: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFar(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function appendPosting(list: Uint32Array | number, length: number, posting: number): Uint32Array {
  let grown = typeof list === "number" ? Uint32Array.of(list, 0, 0, 0) : list;
  if (length >= grown.length) {
    const longer = new Uint32Array(Math.ceil(length * 1.25) + 4);
    longer.set(grown);
    grown = longer;
  }
  grown[length] = posting;
  return grown;
}

/**
 * Returns the letters of a word as bits. Two words with many different letters can't be near, so this avoids the full
 * comparison.
 */
function letterBits(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function hasSameLetters(one: string, other: string): boolean {
  return one.length === other.length && [...one].sort().join("") === [...other].sort().join("");
}

function countBits(bits: number): number {
  let rest = bits;
  let count = 0;
  for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}
