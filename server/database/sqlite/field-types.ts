/**
 * Tracks the JSON types that each field of a collection has ever had. SQL for a filter depends on them, because MongoDB
 * compares within a type and looks into arrays. Types are never removed, so each stored type is known.
 */
import { isPlainObject } from "../check-operation.ts";

export const NULL = 1;
export const NUMBER = 2;
export const STRING = 4;
export const OBJECT = 8;
export const ARRAY = 16;
export const BOOLEAN = 32;
const ANY = 63;

function typeBit(value: unknown): number {
  if (value === null) return NULL;
  if (typeof value === "string") return STRING;
  if (typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return BOOLEAN;
  return Array.isArray(value) ? ARRAY : OBJECT;
}

export type GrownTypes = Map<string, { before: number; after: number }>;

export class FieldTypes {
  /** The types of each field as bits. Null if they can't be read: each field can then have any type. */
  #known: Map<string, number> | null = new Map<string, number>();
  readonly nested: readonly string[];

  /** Creates empty types. @param nested dotted paths to track in addition to the top-level fields */
  constructor(nested: readonly string[]) {
    this.nested = nested;
  }

  /** Returns the types that the field can have, as bits. */
  of(path: string): number {
    if (path === "_id") return STRING;
    if (this.#known === null) return ANY;
    if (!path.includes(".") || this.nested.includes(path)) return this.#known.get(path) ?? 0;
    return ANY;
  }

  all(): ReadonlyMap<string, number> {
    return this.#known ?? new Map<string, number>();
  }

  /**
   * Records the types of a document that is about to be written.
   * @returns the new types; undefined if all were known
   */
  note(document: Record<string, unknown>): GrownTypes | undefined {
    const known = this.#known;
    if (known === null) return undefined;
    let grown: GrownTypes | undefined;
    const widenType = (path: string, bit: number): void => {
      const before = known.get(path) ?? 0;
      if ((before & bit) === bit) return;
      known.set(path, before | bit);
      (grown ??= new Map()).set(path, { before, after: before | bit });
    };
    for (const key in document) {
      const value = document[key];
      if (value !== undefined && key !== "_id") widenType(key, typeBit(value));
    }
    for (const path of this.nested) widenType(path, typeBitAtPath(document, path));
    return grown;
  }

  /** Takes back types that `note` has added. */
  revert(grown: GrownTypes): void {
    for (const [path, { before }] of grown) this.#known?.set(path, before);
  }

  /** Sets the known types. @param known null if the stored types can't be read: queries then assume any type */
  load(known: ReadonlyMap<string, number> | null): void {
    this.#known = known && new Map(known);
  }
}

function typeBitAtPath(document: Record<string, unknown>, path: string): number {
  let value: unknown = document;
  for (const segment of path.split(".")) {
    if (Array.isArray(value)) return ARRAY;
    if (!isPlainObject(value)) return 0;
    value = value[segment];
  }
  return value === undefined ? 0 : typeBit(value);
}
