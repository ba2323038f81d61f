import { canClose, canOpen, characterBefore } from "./flanking.ts";
import type { Flat } from "./inline.ts";
import { backslash, reference, type Place } from "./place.ts";

interface Run {
  character: string;
  start: number;
  end: number;
  opens: boolean;
  closes: boolean;
}

/** A run of `*`, `_` or `~` in the text is escaped only where another run could pair up with it. */
export function markDelimiters(flat: Flat, place: Place, marks: Uint8Array): void {
  const runs = findRuns(flat);
  const last: Record<string, number> = {};
  runs.forEach((run, index) => {
    if (run.closes) last[run.character] = index;
  });
  const opened = new Set<string>();
  runs.forEach((run, index) => {
    const kinds = flat.mask.slice(run.start, run.end);
    const pairs = (run.opens && (last[run.character] ?? -1) > index) || (run.closes && opened.has(run.character));
    // Text that touches real markup would lengthen its run.
    if (pairs || place.plain || /[be]/.test(kinds)) {
      for (let at = run.start; at < run.end; at += 1) if (flat.mask[at] === "t") marks[at] = backslash;
    }
    if (run.opens) opened.add(run.character);
  });
  markNeighbours(flat, marks);
}

function findRuns({ text, mask }: Flat): Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(/\*+|_+|~+/g)) {
    const start = match.index;
    const end = start + match[0].length;
    if (mask.slice(start, end).includes("o")) continue;
    const character = text.charAt(start);
    // readers that know strikethrough let `*` and `_` work beside a tilde as they do beside a letter
    const opens = canOpen(text, start, end) || text[end] === "~";
    const closes = canClose(text, start, end) || text[start - 1] === "~";
    runs.push({ character, start, end, opens, closes });
  }
  return runs;
}

/**
 * Marks beside punctuation mean nothing when a word touches their other side (`**"a"**b`). The word's character
 * written as a reference begins or ends with punctuation, and the marks work again.
 */
function markNeighbours({ text, mask }: Flat, marks: Uint8Array): void {
  for (const match of mask.matchAll(/b+|e+/g)) {
    const start = match.index;
    const end = start + match[0].length;
    if (match[0].startsWith("b")) {
      const before = characterBefore(text, start);
      if (mask[start - 1] === "t" && !canOpen(text, start, end)) marks[start - before.length] = reference;
    } else if (mask[end] === "t" && !canClose(text, start, end)) {
      marks[end] = reference;
    }
  }
}
