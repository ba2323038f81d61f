import type { TextEdit } from "./finding.ts";

/** Applies edits to a text. Their offsets refer to this text, and no two overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((out, { start, end, text: put }) => out.slice(0, start) + put + out.slice(end), text);
}
