/** Finds constructs of other tools that the formatter or a fix would change. */
import { parseMarkdown } from "#core/markdown/parse.ts";
import { isSameTree } from "#core/markdown/same-tree.ts";
import type { Construct } from "./construct.ts";
import { convertDialectsInText } from "./convert.ts";
import { firstMovedLine } from "./shape.ts";

/**
 * Returns the first construct of another tool that differs in `after`; undefined if all are unchanged. Both texts are
 * bodies without front matter; lines count from 1.
 */
export function firstChangedConstruct(before: string, after: string): Construct | undefined {
  const [was, is] = [convertDialectsInText(before), convertDialectsInText(after)];
  return firstDifference(was.constructs, is.constructs);
}

/**
 * Returns the first construct of another tool that a formatter changed, or whose meaning it changed: by another
 * position of tags or another parsed text.
 */
export function firstConstructWithChangedMeaning(before: string, after: string): Construct | undefined {
  const [was, is] = [convertDialectsInText(before), convertDialectsInText(after)];
  const changed = firstDifference(was.constructs, is.constructs);
  if (changed !== undefined) return changed;
  const moved = firstMovedLine(
    { text: before, ...mappedLines(was.constructs) },
    { text: after, ...mappedLines(is.constructs) },
  );
  const there = was.constructs.find(({ line }) => line === moved);
  if (there !== undefined) return there;
  const [plain, ...others] = was.constructs.filter(({ dialect }) => dialect !== "html");
  if (plain === undefined || isSameTree(parseMarkdown(was.text), parseMarkdown(is.text))) return undefined;
  return [plain, ...others].find(({ outcome }) => outcome === "mapped") ?? plain;
}

function mappedLines(constructs: readonly Construct[]): { mapped: Set<number> } {
  return { mapped: new Set(constructs.filter(({ outcome }) => outcome === "mapped").map(({ line }) => line)) };
}

function firstDifference(was: readonly Construct[], is: readonly Construct[]): Construct | undefined {
  const index = was.findIndex((one, at) => constructKeyOf(one) !== constructKeyOf(is[at]));
  return index === -1 ? is[was.length] : was[index];
}

/**
 * Returns a key that is equal for equal constructs. The indent is left out, because a list around a construct can
 * change it.
 */
function constructKeyOf(construct: Construct | undefined): string {
  if (construct === undefined) return "";
  return `${construct.dialect} ${construct.outcome} ${construct.source.split("\n").length} ${construct.source.replace(/^[ \t>]+/gm, "")}`;
}
