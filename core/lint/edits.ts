import type { Edit } from "./finding.ts";

/** The text with the edits made; their offsets count in it, and no two overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((out, { start, end, text: put }) => out.slice(0, start) + put + out.slice(end), text);
}
