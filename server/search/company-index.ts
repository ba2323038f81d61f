/**
 * A company's index in memory, divided into parts by access. A query reads only the parts that the user can read, and a
 * part with the other rows that this user alone can read.
 */
import { setImmediate } from "node:timers/promises";
import {
  openIndexFile,
  viewBits,
  type IndexFile,
  type LedgerPosition,
  type RowText,
  type ShownText,
  type SopRows,
  type IndexedVersionRow,
} from "./index-file.ts";
import type { NearestWord, NearWord } from "./word-lists.ts";
import { IndexPart, type IndexRow, type RowWords } from "./part.ts";
import { rowsWithTerms, rankRows, type IndexQuestion, type RankedRow } from "./ranking.ts";
import { versionKinds, type ReadScope, type SopVersion, type VersionKind } from "./read-scope.ts";

interface IndexRowPlace {
  part: IndexPart;
  row: IndexRow;
}

/** A part of an index for a single user: the rows that only this user can read beyond the shared parts. */
interface OwnPart {
  part: IndexPart;
  words: Map<number, RowWords>;
}

interface ReadableParts {
  parts: readonly IndexPart[];
  isShown: (row: IndexRow) => boolean;
}

const rowsAtOnce = 100;
const ownPartsAtMost = 200;
const nearAtMost = 12;

export class CompanyIndex {
  readonly #file: IndexFile;
  readonly #open = new Map(versionKinds.map((kind) => [kind, new IndexPart()]));
  readonly #restricted = new Map(versionKinds.map((kind) => [kind, new IndexPart()]));
  /** The rows of each SOP, by version. */
  readonly #places = new Map<string, Map<number, IndexRowPlace>>();
  readonly #ownParts = new Map<string, OwnPart>();
  #restrictedSops: ReadonlySet<string> = new Set();

  private constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Reads the file in slices, so that queries of other companies run in between. */
  static async load(path: string): Promise<CompanyIndex> {
    const index = new CompanyIndex(openIndexFile(path));
    try {
      for (let after = 0; ;) {
        const page = index.#file.page(after, rowsAtOnce);
        for (const { row, words } of page) index.#addRow(row, words);
        const last = page.at(-1);
        if (!last) break;
        after = last.row.id;
        await setImmediate();
      }
      // an SOP with two rows has a published version, so the other row is a revision
      for (const [sopId, places] of index.#places) if (places.size > 1) index.#moveRows(sopId);
      return index;
    } catch (error) {
      index.close();
      throw error;
    }
  }

  position(): LedgerPosition | null {
    return this.#file.position();
  }

  /** Returns the wanted rows that the index lacks. Their texts must be added. */
  missingRows(wanted: readonly SopRows[]): IndexedVersionRow[] {
    return wanted.flatMap(({ sopId, rows }) => {
      const stored = this.#places.get(sopId);
      return rows.filter(({ version }) => stored?.has(version) !== true).map((row) => ({ sopId, ...row }));
    });
  }

  /** Removes rows that aren't wanted, and adds the rows of the texts. */
  replaceRows(wanted: readonly SopRows[], texts: readonly RowText[], position: LedgerPosition): void {
    const removed: { id: number; words: RowWords }[] = [];
    const added: { row: IndexRow; words: RowWords }[] = [];
    const seen = new Map<IndexRow, number>();
    this.#file.transaction(() => {
      for (const { sopId, rows } of wanted) {
        for (const { row } of this.#places.get(sopId)?.values() ?? []) {
          const still = rows.find(({ version }) => version === row.version);
          if (!still) {
            removed.push({ id: row.id, words: this.#file.wordsOf(row.id) });
            this.#file.remove(row.id);
          } else if (still.seen !== row.seen) {
            this.#file.setSeen(row.id, still.seen);
            seen.set(row, still.seen);
          }
        }
      }
      for (const text of texts) added.push(this.#file.add(text));
      this.#file.moveTo(position);
    });
    for (const { sopId } of wanted) {
      for (const [version, { part, row }] of this.#places.get(sopId) ?? []) {
        const gone = removed.find(({ id }) => id === row.id);
        if (!gone) continue;
        part.remove(row.id, gone.words);
        this.#places.get(sopId)?.delete(version);
      }
    }
    for (const [row, bits] of seen) row.seen = bits;
    for (const { row, words } of added) this.#addRow(row, words);
    for (const { sopId } of wanted) this.#moveRows(sopId);
  }

  /** Returns all parts that this user's queries read. */
  partsOf(scope: ReadScope): readonly IndexPart[] {
    return this.#readablePartsOf(scope).parts;
  }

  bestRows(scope: ReadScope, question: IndexQuestion, page: { offset: number; limit: number }): RankedRow[] {
    const { parts, isShown } = this.#readablePartsOf(scope);
    return rankRows(parts, question, page, isShown);
  }

  matchingRows(scope: ReadScope, question: IndexQuestion): IndexRow[] {
    const { parts, isShown } = this.#readablePartsOf(scope);
    return rowsWithTerms(parts, question, isShown);
  }

  /** Reads the texts of these rows; null for a row that is no longer in the index. */
  texts(rows: readonly SopVersion[]): (ShownText | null)[] {
    return rows.map(({ sopId, version }) => {
      const place = this.#places.get(sopId)?.get(version);
      return place ? this.#file.textOf(place.row.id) : null;
    });
  }

  /** Finds words near `typed` that the user can read, nearest first. With `isBegun`, beginnings of words count too. */
  nearWords(scope: ReadScope, typed: string, isBegun: boolean): NearestWord[] {
    const found = new Map<string, NearWord>();
    for (const { stems, inflected } of this.partsOf(scope)) {
      for (const lists of [stems, inflected]) {
        for (const one of lists.nearWords(typed, isBegun)) {
          const rows = (found.get(one.word)?.rows ?? 0) + one.rows;
          found.set(one.word, { ...one, rows });
        }
      }
    }
    return [...found.values()]
      .sort(
        (one, other) =>
          one.slips - other.slips ||
          one.replaced - other.replaced ||
          one.begun - other.begun ||
          other.rows - one.rows ||
          (one.word < other.word ? -1 : 1),
      )
      .slice(0, nearAtMost)
      .map(({ word, slips, replaced }) => ({ word, distance: 2 * slips - 1 + replaced }));
  }

  /** The number of postings, as a measure of the used memory. */
  get size(): number {
    const parts = [...this.#open.values(), ...this.#restricted.values()];
    return parts.reduce((sum, { stems, inflected }) => sum + stems.size + inflected.size, 0);
  }

  close(): void {
    this.#file.close();
  }

  #readablePartsOf(scope: ReadScope): ReadableParts {
    this.#updateRestrictedSops(scope.restricted);
    const parts = scope.kinds.flatMap((kind) => {
      const [open, restricted] = [this.#open.get(kind), this.#restricted.get(kind)];
      return [...(open ? [open] : []), ...(restricted && scope.passesRestrictions ? [restricted] : [])];
    });
    const own = new Map(scope.own.map(({ sopId, version }) => [sopId, version]));
    if (scope.own.length > 0) parts.push(this.#ownPart(scope, new Set(parts)));
    const seen = scope.seesLatest ? viewBits.latest : viewBits.published;
    return {
      parts,
      isShown: (row) => {
        const version = own.get(row.sopId);
        return version === undefined ? (row.seen & seen) !== 0 : version === row.version;
      },
    };
  }

  /** Updates and returns the part with rows that only this user reads. Leaves out rows of the other readable parts. */
  #ownPart({ userId, own }: ReadScope, readable: ReadonlySet<IndexPart>): IndexPart {
    const known = this.#ownParts.get(userId) ?? { part: new IndexPart(), words: new Map<number, RowWords>() };
    this.#ownParts.delete(userId);
    this.#ownParts.set(userId, known);
    const [oldest] = this.#ownParts.keys();
    if (this.#ownParts.size > ownPartsAtMost && oldest !== undefined) this.#ownParts.delete(oldest);
    const wanted = new Map(this.#rowsOf(own, readable).map((row) => [row.id, row]));
    for (const [id, words] of known.words) {
      if (wanted.has(id)) continue;
      known.part.remove(id, words);
      known.words.delete(id);
    }
    for (const [id, row] of wanted) {
      if (known.words.has(id)) continue;
      const words = this.#file.wordsOf(id);
      known.part.add(row, words);
      known.words.set(id, words);
    }
    return known.part;
  }

  #rowsOf(versions: readonly SopVersion[], readable: ReadonlySet<IndexPart>): IndexRow[] {
    return versions.flatMap(({ sopId, version }) => {
      const place = this.#places.get(sopId)?.get(version);
      return place && !readable.has(place.part) ? [place.row] : [];
    });
  }

  #updateRestrictedSops(sops: readonly string[]): void {
    const before = this.#restrictedSops;
    if (sops.length === before.size && sops.every((sopId) => before.has(sopId))) return;
    const now = new Set(sops);
    this.#restrictedSops = now;
    for (const sopId of new Set([...before, ...sops])) if (before.has(sopId) !== now.has(sopId)) this.#moveRows(sopId);
  }

  #addRow(row: IndexRow, words: RowWords): void {
    const places = this.#places.get(row.sopId) ?? new Map<number, IndexRowPlace>();
    const part = this.#partOf(
      row,
      [...places.values()].map((place) => place.row),
    );
    places.set(row.version, { part, row });
    this.#places.set(row.sopId, places);
    part.add(row, words);
  }

  /** Moves the rows of an SOP to the parts to which they now belong. */
  #moveRows(sopId: string): void {
    const places = this.#places.get(sopId);
    if (!places) return;
    if (places.size === 0) this.#places.delete(sopId);
    const rows = [...places.values()].map(({ row }) => row);
    for (const place of places.values()) {
      const part = this.#partOf(place.row, rows);
      if (part === place.part) continue;
      const words = this.#file.wordsOf(place.row.id);
      place.part.remove(place.row.id, words);
      part.add(place.row, words);
      place.part = part;
    }
  }

  #partOf(row: IndexRow, ofSop: readonly IndexRow[]): IndexPart {
    const isPublished = (one: IndexRow) => (one.seen & viewBits.published) !== 0;
    const kind: VersionKind = isPublished(row) ? "published" : ofSop.some(isPublished) ? "revision" : "draft";
    const part = (this.#restrictedSops.has(row.sopId) ? this.#restricted : this.#open).get(kind);
    if (!part) throw new Error(`no part for ${kind}`);
    return part;
  }
}
