import type { Nodes, Root, Yaml } from "mdast";
import { AppError } from "#core/errors.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import { guardMarkdown } from "#core/markdown/limits.ts";
import { eachNode } from "#core/markdown/parse.ts";
import { readYaml } from "#core/markdown/yaml.ts";
import { parseFile } from "./parse-file.ts";
import { presets, type PresetName } from "./presets.ts";
import type { Finding, Fix, Place, Rule, RuleContext, ServerOwned, Severity, Visitor } from "./rule.ts";
import { rules as allRules } from "./rules/index.ts";
import { applySuppressions } from "./suppress.ts";

export interface LintOptions {
  /** The file's path, for rules that look at it. */
  path: string;
  preset: PresetName;
  /** Severities that differ from the preset's, by rule id. */
  rules?: Readonly<Record<string, Severity | "off">>;
  /** What the server last gave out, where it is known: altered values are errors then. */
  base?: ServerOwned;
}

/**
 * Checks one file: one parse, one walk, every rule of the preset. Findings come in the order of the text.
 * A file that can't be read gets one `parse/…` finding; nothing is thrown for bad input.
 */
export function lint(text: string, options: LintOptions): Finding[] {
  const active = activeRules(options);
  try {
    guardMarkdown(text);
    const { tree, yaml } = parseFile(text);
    const findings = check(text, tree, yaml, options, active);
    return applySuppressions(tree, text, findings, presets[options.preset].reasonRequired).sort(byPlace);
  } catch (error) {
    const refusal =
      error instanceof RangeError ? new AppError("unprocessable", "The text is nested too deeply") : error;
    if (!(refusal instanceof AppError)) throw refusal;
    return [unreadable(refusal)];
  }
}

interface ActiveRule {
  rule: Rule;
  severity: Severity;
}

function activeRules({ preset, rules = {} }: LintOptions): ActiveRule[] {
  const chosen: Readonly<Record<string, Severity | "off">> = { ...presets[preset].rules, ...rules };
  return allRules.flatMap((rule) => {
    const severity = Object.hasOwn(chosen, rule.id) ? (chosen[rule.id] ?? "off") : "off";
    return severity === "off" ? [] : [{ rule, severity }];
  });
}

function unreadable(error: AppError): Finding {
  const details = error.details as { line?: unknown } | undefined;
  const line = typeof details?.line === "number" ? details.line : 1;
  const rule = error.code === "invalid_input" ? "parse/front-matter" : "parse/text";
  return { rule, severity: "error", message: error.message, line, column: 1, endLine: line, endColumn: 1 };
}

function check(
  text: string,
  tree: Root,
  yaml: Yaml | undefined,
  options: LintOptions,
  active: readonly ActiveRule[],
): Finding[] {
  const findings: Finding[] = [];
  const values = yaml === undefined ? null : readYaml(yaml.value);
  const lines = lineStarts(text);
  const visitors = active.map(({ rule, severity }) => {
    const report = (message: string, place: Place, fix?: Fix): void => {
      findings.push({
        rule: rule.id,
        severity,
        message,
        ...positionOf(place, lines),
        ...(fix === undefined ? {} : { fix }),
      });
    };
    return rule.create({ ...facts(text, tree, yaml, values, options), report });
  });
  walk(tree, visitors);
  return findings;
}

function walk(tree: Root, visitors: readonly Visitor[]): void {
  const byType = new Map<string, ((node: Nodes, parents: readonly Nodes[]) => void)[]>();
  for (const visitor of visitors) {
    for (const [type, visit] of Object.entries(visitor)) {
      if (type !== "done") byType.set(type, [...(byType.get(type) ?? []), visit as (node: Nodes) => void]);
    }
  }
  eachNode(tree, (node, parents) => byType.get(node.type)?.forEach((visit) => visit(node, parents)));
  for (const visitor of visitors) visitor.done?.();
}

function facts(
  text: string,
  tree: Root,
  yaml: Yaml | undefined,
  values: Record<string, unknown> | null,
  { path, base }: LintOptions,
): Omit<RuleContext, "report"> {
  const place = (key?: keyof FrontMatter): Place => {
    if (yaml === undefined) return { start: 0, end: 0 };
    const found = key === undefined ? null : new RegExp(`^${key}[ \\t]*:.*$`, "m").exec(yaml.value);
    const start = (yaml.position?.start.offset ?? 0) + 4;
    return found === null
      ? { start: 0, end: 3 }
      : { start: start + found.index, end: start + found.index + found[0].length };
  };
  return { text, path, tree, values, base, placeOf: place, isTemplate: values?.["template"] === true };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

type Position = Pick<Finding, "line" | "column" | "endLine" | "endColumn">;

function positionOf(place: Place, lines: readonly number[]): Position {
  if ("type" in place) {
    const { start, end } = place.position ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
    return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
  }
  const [line, column] = lineOf(place.start, lines);
  const [endLine, endColumn] = lineOf(place.end, lines);
  return { line, column, endLine, endColumn };
}

function lineOf(offset: number, lines: readonly number[]): [number, number] {
  const after = lines.findIndex((start) => start > offset);
  const line = after === -1 ? lines.length : after;
  return [line, offset - (lines[line - 1] ?? 0) + 1];
}

function byPlace(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1);
}
