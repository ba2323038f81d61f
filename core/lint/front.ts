import type { Yaml } from "mdast";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import { createPositionLookup } from "./positions.ts";
import type { FindingPlace, Position } from "./finding.ts";

/** The front matter as written, and the positions of its keys. */
export interface LintedFrontMatter {
  values: Readonly<Record<string, unknown>> | null;
  /** The line of a key; the line of the opening `---` for a missing key. */
  placeOf(key?: keyof FrontMatter): { start: number; end: number };
  positionOf(key: keyof FrontMatter): Position;
}

export function readLintedFrontMatter(
  text: string,
  yaml: Yaml | undefined,
  values: Record<string, unknown> | null,
): LintedFrontMatter {
  const placeOf = (key?: keyof FrontMatter): { start: number; end: number } => {
    if (yaml === undefined) return { start: 0, end: 0 };
    const begin = text.indexOf("\n", yaml.position?.start.offset ?? 0) + 1;
    const found = key === undefined ? null : keyLinePattern(key).exec(text.slice(begin, yaml.position?.end.offset));
    return found === null
      ? { start: 0, end: 3 }
      : { start: begin + found.index, end: begin + found.index + found[0].length };
  };
  return { values, placeOf, positionOf: (key) => createPositionLookup(text)(placeOf(key) satisfies FindingPlace) };
}

function keyLinePattern(key: string): RegExp {
  return new RegExp(`^(?:${key}|"${key}"|'${key}')[ \\t]*:[^\\r\\n]*`, "m");
}
