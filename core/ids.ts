import { v7, validate } from "uuid";

/** Creates an id: a UUID v7, so that ids sort by creation time (`docs/spec/entities.md`). */
export function newId(): string {
  return v7();
}

export function isId(value: unknown): value is string {
  return typeof value === "string" && validate(value);
}
