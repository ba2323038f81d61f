/**
 * Caches parsed, deeply frozen documents as last committed. The cache is exact, because only this process writes. A
 * commit removes the documents that it wrote, and a transaction bypasses the cache for rows that it changed.
 */
export interface CachedDocument {
  readonly row: number;
  readonly document: Readonly<Record<string, unknown>> & { readonly _id: string };
  readonly size: number;
  readonly owner: TableCache;
  /** True if the document was read since it was last at the start of the removal queue. */
  isInUse: boolean;
}

/** The budget that the caches of all tables share, in characters of JSON text. */
export class CacheBudget {
  readonly #limit: number;
  #used = 0;
  /**
   * The cached documents, in the order of their removal. A document in use moves to the end instead. Reading only sets
   * its mark `isInUse`.
   */
  readonly #entries = new Set<CachedDocument>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Adds a document to the budget, and drops others if needed.
   * @returns false for a document that is too large to be cached
   */
  admit(entry: CachedDocument): boolean {
    if (entry.size > this.#limit / 16) return false;
    this.#used += entry.size;
    this.#entries.add(entry);
    for (const first of this.#entries) {
      if (this.#used <= this.#limit) break;
      if (!first.isInUse) {
        first.owner.drop(first.row);
        continue;
      }
      first.isInUse = false;
      this.#entries.delete(first);
      this.#entries.add(first);
    }
    return true;
  }

  release(entry: CachedDocument): void {
    if (this.#entries.delete(entry)) this.#used -= entry.size;
  }
}

const resultsAtMost = 256;

export class TableCache {
  readonly #budget: CacheBudget;
  readonly #byRow = new Map<number, CachedDocument>();
  readonly #byId = new Map<string, CachedDocument>();
  readonly #results = new Map<string, readonly number[]>();
  #commits = 0;

  constructor(budget: CacheBudget) {
    this.#budget = budget;
  }

  byRow(row: number): CachedDocument | undefined {
    return markInUse(this.#byRow.get(row));
  }

  byId(id: string): CachedDocument | undefined {
    return markInUse(this.#byId.get(id));
  }

  keep(row: number, document: CachedDocument["document"], size: number): void {
    this.drop(row);
    const entry: CachedDocument = { row, document, size, owner: this, isInUse: true };
    this.#byRow.set(row, entry);
    this.#byId.set(document._id, entry);
    if (!this.#budget.admit(entry)) this.drop(row);
  }

  drop(row: number): void {
    const entry = this.#byRow.get(row);
    if (!entry) return;
    this.#byRow.delete(row);
    this.#byId.delete(entry.document._id);
    this.#budget.release(entry);
  }

  dropAll(): void {
    for (const row of this.#byRow.keys()) this.drop(row);
  }

  /** Returns the row numbers of an earlier query; undefined if this table was written to since. */
  result(query: string): readonly number[] | undefined {
    return this.#results.get(query);
  }

  keepResult(query: string, rows: readonly number[]): void {
    if (this.#results.size >= resultsAtMost) this.#results.delete(this.#results.keys().next().value as string);
    this.#results.set(query, rows);
  }

  /** Removes all results, because a commit to this table can change any of them. */
  dropResults(): void {
    this.#results.clear();
    this.#commits += 1;
  }

  /** Returns the number of commits that wrote to this table since the database was opened. */
  get commits(): number {
    return this.#commits;
  }
}

function markInUse(entry: CachedDocument | undefined): CachedDocument | undefined {
  if (entry) entry.isInUse = true;
  return entry;
}

export function parseFrozen(text: string): CachedDocument["document"] {
  return deepFreeze(JSON.parse(text) as CachedDocument["document"]);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key in value) {
    const child = value[key];
    if (typeof child === "object" && child !== null) deepFreeze(child);
  }
  return Object.freeze(value);
}
