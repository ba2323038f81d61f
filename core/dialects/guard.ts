/** What the formatter and fixes must leave as it is. */
import { parseMarkdown } from "#core/markdown/parse.ts";
import { sameTree } from "#core/markdown/same-tree.ts";
import type { Construct } from "./construct.ts";
import { convertText } from "./convert.ts";
import { movedLine } from "./shape.ts";

/**
 * The first construct of another tool that differs in `after`, undefined where all are as they were. Both are bodies
 * without front matter; lines are counted from 1.
 */
export function changedConstruct(before: string, after: string): Construct | undefined {
  const [was, is] = [convertText(before), convertText(after)];
  return firstDifference(was.constructs, is.constructs);
}

/** The same for a new form of one text: what the constructs mean must be the same, too. */
export function reshapedConstruct(before: string, after: string): Construct | undefined {
  const [was, is] = [convertText(before), convertText(after)];
  const changed = firstDifference(was.constructs, is.constructs);
  if (changed !== undefined) return changed;
  const moved = movedLine(
    { text: before, ...mappedLines(was.constructs) },
    { text: after, ...mappedLines(is.constructs) },
  );
  const there = was.constructs.find(({ line }) => line === moved);
  if (there !== undefined) return there;
  const [plain, ...others] = was.constructs.filter(({ dialect }) => dialect !== "html");
  if (plain === undefined || sameTree(parseMarkdown(was.text), parseMarkdown(is.text))) return undefined;
  return [plain, ...others].find(({ outcome }) => outcome === "mapped") ?? plain;
}

function mappedLines(constructs: readonly Construct[]): { mapped: Set<number> } {
  return { mapped: new Set(constructs.filter(({ outcome }) => outcome === "mapped").map(({ line }) => line)) };
}

function firstDifference(was: readonly Construct[], is: readonly Construct[]): Construct | undefined {
  const index = was.findIndex((one, at) => keyOf(one) !== keyOf(is[at]));
  return index === -1 ? is[was.length] : was[index];
}

/** Only the indent of its lines can differ: that of a list around it. */
function keyOf(construct: Construct | undefined): string {
  if (construct === undefined) return "";
  return `${construct.dialect} ${construct.outcome} ${construct.source.split("\n").length} ${construct.source.replace(/^[ \t>]+/gm, "")}`;
}
