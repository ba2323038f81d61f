import type { Root } from "mdast";
import { isBlankLine as isBlankText } from "#core/text/lines.ts";
import { eachNode } from "./each-node.ts";

/** The smallest part in characters. Smaller parts would make parsing slower without freeing the thread more often. */
const partAtLeast = 1_500;

/**
 * Parses a body in parts, with the same tree and positions as `parse`, and yields after each part, so that the thread
 * can answer clicks in between. The generator returns the tree.
 */
export function* parseInParts(body: string, parse: (part: string) => Root): Generator<undefined, Root> {
  const starts = partStartsOf(body);
  let tree: Root | null = null;
  let line = 0;
  for (const [at, start] of starts.entries()) {
    if (tree) yield;
    const text = body.slice(start, starts[at + 1]);
    const part = parse(text);
    if (start > 0) shiftPositions(part, start, line);
    line += text.split("\n").length - 1;
    if (!tree) {
      tree = part;
      continue;
    }
    tree.children.push(...part.children);
    if (tree.position && part.position) tree.position.end = part.position.end;
  }
  return tree ?? parse(body);
}

/**
 * Matches markup that may extend beyond a heading: definitions, HTML that blank lines don't end, fences inside other
 * blocks.
 */
const reachesFar =
  /[\r\uFEFF]|\]:|^[ \t]+(?:```|~~~)|[>*+.)-][ \t]+(?:```|~~~)|<(?:[!?]|(?:script|pre|style|textarea)\b)/im;

/** @returns the start of each part. A part begins at a heading after a blank line, outside of fences. */
function partStartsOf(body: string): number[] {
  const starts = [0];
  if (reachesFar.test(body)) return starts;
  let fence = "";
  let isBlank = false;
  for (let at = 0; at < body.length;) {
    const end = body.indexOf("\n", at);
    const text = body.slice(at, end === -1 ? body.length : end);
    const run = /^(`{3,}|~{3,})(.*)$/.exec(text);
    if (run?.[1] && !fence) {
      // with backticks in the info string, the line is code in text and no fence
      if (!(run[1].startsWith("`") && run[2]?.includes("`"))) fence = run[1];
    } else if (run?.[1]?.startsWith(fence) && isBlankText(run[2] ?? "")) fence = "";
    else if (!fence && isBlank && /^#{1,6}[ \t]/.test(text) && at - (starts.at(-1) ?? 0) >= partAtLeast)
      starts.push(at);
    isBlank = isBlankText(text);
    if (end === -1) break;
    at = end + 1;
  }
  return starts;
}

function shiftPositions(part: Root, offset: number, line: number): void {
  const shiftPoint = (point: NonNullable<Root["position"]>["start"]): void => {
    point.line += line;
    if (point.offset !== undefined) point.offset += offset;
  };
  eachNode(part, (node) => {
    if (!node.position) return;
    shiftPoint(node.position.start);
    shiftPoint(node.position.end);
  });
}
