/**
 * The part of an index whose rows have the same readers, with its own lists of words. A query reads only parts that its
 * user can read, so other texts change neither the answer nor the work.
 */
import { rowsAtMost, WordLists } from "./word-lists.ts";

/** A row of an index: the SOP and version of a text. */
export interface IndexRow {
  /** The id of the stored row. It never changes and is never used again. */
  id: number;
  sopId: string;
  version: number;
  /** The `viewBits` of the version. */
  seen: number;
}

/** The words of a row, with their weights as in postings. */
export interface RowWords {
  stems: ReadonlyMap<string, number>;
  /** Words that are not their own stem. */
  inflected: ReadonlyMap<string, number>;
  /** The number of all words. */
  length: number;
  /** The number of words in the title, without words such as articles that mean little by themselves. */
  titleLength: number;
}

/**
 * The weight of a word in the body. Weights are whole numbers, so a word that counts for less than a whole one has a
 * smaller weight than this.
 */
export const weightUnit = 5;
const compactFrom = 1_000;

export class IndexPart {
  readonly stems = new WordLists();
  readonly inflected = new WordLists();
  /** Rows by number; null for a removed row. */
  rows: (IndexRow | null)[] = [];
  lengths: number[] = [];
  titleLengths: number[] = [];
  live = 0;
  totalLength = 0;
  readonly #numbers = new Map<number, number>();

  add(row: IndexRow, words: RowWords): void {
    const number = this.rows.length;
    if (number >= rowsAtMost) throw new RangeError("too many texts for one search index");
    this.rows.push(row);
    this.lengths.push(words.length);
    this.titleLengths.push(words.titleLength);
    this.#numbers.set(row.id, number);
    this.live += 1;
    this.totalLength += words.length;
    for (const [word, weight] of words.stems) this.stems.add(word, number, weight);
    for (const [word, weight] of words.inflected) this.inflected.add(word, number, weight);
  }

  remove(id: number, words: RowWords): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.rows[number] = null;
    this.live -= 1;
    this.totalLength -= words.length;
    for (const word of words.stems.keys()) this.stems.remove(word, number);
    for (const word of words.inflected.keys()) this.inflected.remove(word, number);
    if (this.rows.length >= compactFrom && this.rows.length > this.live * 2) this.#compact();
  }

  #compact(): void {
    const renumbered = new Int32Array(this.rows.length);
    const [rows, lengths, titleLengths]: [IndexRow[], number[], number[]] = [[], [], []];
    for (const [number, row] of this.rows.entries()) {
      if (!row) continue;
      renumbered[number] = rows.length;
      this.#numbers.set(row.id, rows.length);
      rows.push(row);
      lengths.push(this.lengths[number] ?? 0);
      titleLengths.push(this.titleLengths[number] ?? 0);
    }
    this.rows = rows;
    this.lengths = lengths;
    this.titleLengths = titleLengths;
    this.stems.renumber(renumbered);
    this.inflected.renumber(renumbered);
  }
}
