/** Writes and reads the cursor of a page of hits: the position of its first hit. */
import { invalidCursorError } from "../http/invalid-cursor.ts";

export function writeHitCursor(from: number): string {
  return Buffer.from(`hit ${from}`).toString("base64url");
}

/** @throws AppError invalid_input for a cursor that the server didn't make */
export function readHitCursor(text: string | undefined): number {
  if (text === undefined) return 0;
  const from = Number(/^hit (\d{1,4})$/.exec(Buffer.from(text, "base64url").toString())?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) throw invalidCursorError();
  return from;
}
