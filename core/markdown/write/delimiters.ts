import {
  characterAfter,
  characterBefore,
  commonmarkFlanks,
  dialectFlanks,
  tildeFlanks,
  type Flanks,
  type DelimiterRun,
} from "../flanking.ts";
import type { EmphasisNode, FlatInline } from "./inline.ts";
import { backslash, type InlineContext } from "./place.ts";

/**
 * Escapes runs of `*`, `_` or `~` in text if a parser would take them for marks, by CommonMark and GFM or by this
 * product's dialect.
 * @returns emphasis whose marks one of these parsers would take for text
 */
export function markDelimiters(flat: FlatInline, place: InlineContext, marks: Uint8Array): EmphasisNode[] {
  markTildes(flat, place, marks);
  escapeBesideMarks(flat, place, marks);
  const wanted = new Map(flat.marks.map((mark) => [delimiterPairKeyOf(mark), mark.node]));
  const stars = flat.marks.filter(({ open }) => flat.text[open] !== "~");
  if (stars.length === 0 && !/[*_]/.test(flat.text)) return emphasisWithoutEffect(flat, new Set());
  for (;;) {
    const found = [pairDelimiters(flat, marks, commonmarkFlanks), pairDelimiters(flat, marks, dialectFlanks)];
    if (escapePairs(flat, marks, found.flat(), wanted)) continue;
    const [first, second] = found.map((some) => new Set(some.map(delimiterPairKeyOf)));
    const broken = stars.filter(
      (mark) => !first?.has(delimiterPairKeyOf(mark)) || !second?.has(delimiterPairKeyOf(mark)),
    );
    return emphasisWithoutEffect(flat, new Set(broken.map(({ node }) => node)));
  }
}

interface DelimiterPair {
  open: number;
  close: number;
  length: number;
}

function delimiterPairKeyOf({ open, close, length }: DelimiterPair): string {
  return `${open} ${close} ${length}`;
}

/** Adds backslashes to text characters that a parser would take for marks. @returns whether any were added */
function escapePairs(
  flat: FlatInline,
  marks: Uint8Array,
  found: readonly DelimiterPair[],
  wanted: ReadonlyMap<string, unknown>,
) {
  let escaped = false;
  for (const pair of found) {
    if (wanted.has(delimiterPairKeyOf(pair))) continue;
    for (const at of [pair.open, pair.close]) {
      for (const index of runAround(flat.text, at)) {
        if (flat.mask[index] !== "t" || marks[index] === backslash) continue;
        marks[index] = backslash;
        escaped = true;
      }
    }
  }
  return escaped;
}

function runAround(text: string, at: number): number[] {
  let [start, end] = [at, at];
  while (text[start - 1] === text[at]) start -= 1;
  while (text[end] === text[at]) end += 1;
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Escapes text characters that touch a mark, because they would lengthen its run. */
function escapeBesideMarks({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): void {
  for (const { 0: run, index } of text.matchAll(/\*+|_+/g)) {
    if (!place.plain && !/[be]/.test(mask.slice(index, index + run.length))) continue;
    for (let at = index; at < index + run.length; at += 1) if (mask[at] === "t") marks[at] = backslash;
  }
}

/** A run of stars or underscores on the stack of the algorithm. */
interface Delimiters extends Flanks {
  character: string;
  /** The start of the part of the run that is not paired yet; `end` is the end of this part. */
  start: number;
  end: number;
  /** The length of the whole run. */
  length: number;
}

/**
 * Pairs runs by the algorithm of CommonMark (6.2, and its appendix on parsing). The text of each link is handled before
 * the text around it.
 */
function pairDelimiters(
  { text, mask }: FlatInline,
  marks: Uint8Array,
  flanks: (run: DelimiterRun) => Flanks,
): DelimiterPair[] {
  const found: DelimiterPair[] = [];
  const stacks: Delimiters[][] = [[]];
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (mask[at] === "m" && character === "[") stacks.push([]);
    if (mask[at] === "m" && character === "]") pairRuns(stacks.pop() ?? [], found);
    if ((character !== "*" && character !== "_") || mask[at] === "o" || marks[at] === backslash) {
      at += 1;
      continue;
    }
    let end = at;
    while (text[end] === character && mask[end] !== "o" && marks[end] !== backslash) end += 1;
    const [before, after] = [characterBefore(text, at), marks[end] === backslash ? "\\" : characterAfter(text, end)];
    stacks.at(-1)?.push({
      character,
      start: at,
      end,
      length: end - at,
      ...flanks({ character, length: end - at, before, after }),
    });
    at = end;
  }
  for (const stack of stacks) pairRuns(stack, found);
  return found;
}

function pairRuns(runs: readonly Delimiters[], found: DelimiterPair[]): void {
  const open: Delimiters[] = [];
  // the stack height below which closers of a kind find no partner
  const bottoms = new Map<string, number>();
  for (const closer of runs) {
    while (closer.closes && closer.start < closer.end) {
      const kind = `${closer.character}${closer.opens}${closer.length % 3}`;
      const at = lastOpener(open, closer, bottoms.get(kind) ?? 0);
      const opener = open[at];
      if (opener === undefined) {
        bottoms.set(kind, open.length);
        break;
      }
      open.length = at + 1;
      for (const [key, height] of bottoms) if (height > open.length) bottoms.set(key, open.length);
      const length = Math.min(2, opener.end - opener.start, closer.end - closer.start);
      opener.end -= length;
      found.push({ open: opener.end, close: closer.start, length });
      closer.start += length;
      if (opener.start === opener.end) open.pop();
    }
    if (closer.opens && closer.start < closer.end) open.push(closer);
  }
}

function lastOpener(open: readonly Delimiters[], closer: Delimiters, bottom: number): number {
  for (let at = open.length - 1; at >= bottom; at -= 1) {
    const opener = open[at];
    if (opener?.character !== closer.character) continue;
    const isBoth = closer.opens || opener.closes;
    if (!(isBoth && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0)) return at;
  }
  return -1;
}

/**
 * Escapes tildes. GitHub also reads a single tilde as strikethrough; other parsers, including this product's, don't.
 */
function markTildes(flat: FlatInline, place: InlineContext, marks: Uint8Array): void {
  const runs = [...flat.text.matchAll(/~+/g)].map(({ 0: run, index: start }) => {
    const end = start + run.length;
    return { start, end, kinds: flat.mask.slice(start, end), ...tildeFlanksAt(flat.text, start, end) };
  });
  const last = runs.findLastIndex(({ closes, kinds }) => closes && !kinds.includes("o"));
  let isOpened = false;
  runs.forEach(({ start, end, kinds, opens, closes }, index) => {
    if (kinds.includes("o")) return;
    if ((opens && last > index) || (closes && isOpened) || place.plain || /[be]/.test(kinds)) {
      for (let at = start; at < end; at += 1) if (flat.mask[at] === "t") marks[at] = backslash;
    }
    isOpened ||= opens;
  });
}

function tildeFlanksAt(text: string, start: number, end: number): Flanks {
  return tildeFlanks({ before: characterBefore(text, start), after: characterAfter(text, end) });
}

/**
 * Returns the nodes of `broken`, and strikethrough whose `~~` a parser would take for text.
 * @param broken emphasis whose marks have no effect; this function adds the strikethrough
 */
function emphasisWithoutEffect({ text, marks }: FlatInline, broken: Set<EmphasisNode>): EmphasisNode[] {
  for (const { node, open, close } of marks) {
    if (text[open] !== "~") continue;
    const opens = text[open - 1] !== "~" && tildeFlanksAt(text, open, open + 2).opens;
    if (!opens || text[close + 2] === "~" || !tildeFlanksAt(text, close, close + 2).closes) broken.add(node);
  }
  return [...broken];
}
