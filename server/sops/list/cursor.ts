/** Writes and reads cursors: the sort key and the id of the last row of a page. Clients can't read a cursor. */
import { invalidCursorError } from "../../http/invalid-cursor.ts";

export interface Cursor {
  at: string;
  id: string;
}

export function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at} ${id}`).toString("base64url");
}

/**
 * Reads a cursor of a list sorted by time.
 * @returns null for the first page
 * @throws AppError invalid_input for a cursor that no server created
 */
export function parseTimeCursor(text: string | undefined): Cursor | null {
  const cursor = parseCursor(text);
  if (cursor && !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cursor.at)) throw invalidCursorError();
  return cursor;
}

/** Like `parseTimeCursor`, for a list that isn't sorted by time: `at` can be any text. */
export function parseCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(.*) ([0-9a-f-]{36})$/s.exec(Buffer.from(text, "base64url").toString());
  if (!match || match[1] === undefined || !match[2]) throw invalidCursorError();
  return { at: match[1], id: match[2] };
}
