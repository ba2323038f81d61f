/**
 * Rows whose document can't be read. A list leaves them out, so that a damaged row costs only itself. A query for a
 * single document is refused: a missing row could mean that an action is allowed, or that a name is free.
 */
import { DamagedDocumentError, damagedRows } from "../port.ts";

export type OnDamage = (collection: string, id: string) => void;

const idsAtMost = 10;

export class DamagedRows {
  readonly #rows = new Map<number, string>();
  readonly #collection: string;
  readonly #met: OnDamage;

  /** Rebuilds the indexes of the collection from its documents. @returns false if they stay damaged */
  makeIndexes: () => Promise<boolean> = async () => false;
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

  /** @returns the error to throw if the caller needs this document */
  add(row: number, id: string): DamagedDocumentError {
    if (!this.#rows.has(row)) {
      this.#rows.set(row, id);
      this.#met(this.#collection, id);
    }
    return new DamagedDocumentError(this.#collection, id);
  }

  /** Rows of a stretch that nothing names. @param to Infinity where the number of rows isn't known */
  addStretch(from: number, to: number, many: number): void {
    const where = to === Infinity ? `${from} and later` : `${from} to ${to} (at most ${many})`;
    this.#stretch = `${damagedRows}${where}`;
    this.#met(this.#collection, this.#stretch);
  }

  /** An index can't be read. A second try to make it would fail as the first. @returns whether it is made now */
  addIndex(): boolean {
    if (this.#triesIndexes) return false;
    this.#triesIndexes = true;
    void this.makeIndexes().then((isMade) => (this.#triesIndexes = !isMade));
    return true;
  }

  /** The beginning of a condition that excludes damaged rows. SQLite never computes the rest for them. */
  exclusion(): string {
    return this.#rows.size === 0 ? "" : `row NOT IN (${[...this.#rows.keys()].join(",")})`;
  }

  /** The error that names all damaged rows, because each could be the requested document. */
  error(): DamagedDocumentError {
    const ids = [...this.#rows.values()];
    const named = ids.length > idsAtMost ? [...ids.slice(0, idsAtMost), "…"] : ids;
    return new DamagedDocumentError(this.#collection, named.join(", ") || (this.#stretch ?? ""));
  }
}
