import type { Nodes } from "mdast";
import type { Finding, FindingPlace, Position } from "./finding.ts";

/** Returns a function that translates offsets and nodes into lines and columns. */
export function createPositionLookup(text: string): (place: FindingPlace) => Position {
  let starts: number[] | undefined;
  const lineOf = (offset: number): [number, number] => {
    starts ??= lineStartOffsets(text);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  };
  return (place) => {
    if ("type" in place) return nodePosition(place);
    const [line, column] = lineOf(place.start);
    const [endLine, endColumn] = lineOf(place.end);
    return { line, column, endLine, endColumn };
  };
}

export function nodePosition({ position }: Nodes): Position {
  if (position === undefined) return { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const { start, end } = position;
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

/** The offsets of a node. */
export function rangeOfNode({ position }: Nodes): { start: number; end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

function lineStartOffsets(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Sorts findings by their position in the text. */
export function compareFindingPositions(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);
}
