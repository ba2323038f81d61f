/**
 * Collects rows whose document can't be read. A list leaves them out. A query for a single document fails instead,
 * because a missing document could mean that an action is allowed, or that a name is free.
 */
import { DamagedDocumentError, damagedRowsPrefix } from "../port.ts";

export type OnDamage = (collection: string, id: string) => void;

const idsAtMost = 10;

export class DamagedRows {
  readonly #rows = new Map<number, string>();
  readonly #collection: string;
  readonly #met: OnDamage;

  /** Rebuilds the indexes of the collection from its documents. @returns false if they stay damaged */
  rebuildIndexes: () => Promise<boolean> = async () => false;
  #triesIndexes = false;
  #stretch: string | null = null;

  constructor(collection: string, met: OnDamage) {
    this.#collection = collection;
    this.#met = met;
  }

  get isAny(): boolean {
    return this.#rows.size > 0 || this.#stretch !== null;
  }

  get count(): number {
    return this.#rows.size;
  }

  /** Adds a damaged row. @returns the error to throw if the caller needs this document */
  add(row: number, id: string): DamagedDocumentError {
    if (!this.#rows.has(row)) {
      this.#rows.set(row, id);
      this.#met(this.#collection, id);
    }
    return new DamagedDocumentError(this.#collection, id);
  }

  /** Adds a range of unreadable rows without known ids. @param to Infinity if the number of rows isn't known */
  addUnreadableRange(from: number, to: number, many: number): void {
    const where = to === Infinity ? `${from} and later` : `${from} to ${to} (at most ${many})`;
    this.#stretch = `${damagedRowsPrefix}${where}`;
    this.#met(this.#collection, this.#stretch);
  }

  /** Starts to rebuild the indexes, unless that has failed already. @returns whether it has started */
  startIndexRebuild(): boolean {
    if (this.#triesIndexes) return false;
    this.#triesIndexes = true;
    void this.rebuildIndexes().then((isMade) => (this.#triesIndexes = !isMade));
    return true;
  }

  /**
   * Returns the start of an SQL condition that excludes damaged rows. SQLite doesn't evaluate later conditions for
   * them.
   */
  exclusionSql(): string {
    return this.#rows.size === 0 ? "" : `row NOT IN (${[...this.#rows.keys()].join(",")})`;
  }

  /** Returns the error that names all damaged rows, because each could be the requested document. */
  error(): DamagedDocumentError {
    const ids = [...this.#rows.values()];
    const named = ids.length > idsAtMost ? [...ids.slice(0, idsAtMost), "…"] : ids;
    return new DamagedDocumentError(this.#collection, named.join(", ") || (this.#stretch ?? ""));
  }
}
