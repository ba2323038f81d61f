/** Where a page ended: the time of its last row and that row's id. Opaque to clients. */
import { AppError } from "#core/errors.ts";

export interface Cursor {
  at: string;
  id: string;
}

export function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at} ${id}`).toString("base64url");
}

/** @returns null for the first page. @throws AppError invalid_input for a cursor that no server created */
export function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f-]{36})$/.exec(Buffer.from(text, "base64url").toString());
  if (!match?.[1] || !match[2])
    throw new AppError("invalid_input", "The cursor is not valid: start again without it", { cursor: "not valid" });
  return { at: match[1], id: match[2] };
}
