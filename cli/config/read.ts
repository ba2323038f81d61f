/** Reads one config file. Errors name the line and column and suggest a fix. */
import { isMap, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { AppError } from "#core/errors.ts";
import { readLintSettings } from "#core/lint/settings.ts";
import { CliError, exit, type Problem } from "../exit.ts";
import { unknownRuleMessage } from "../lint/rules.ts";
import { nearNameHint } from "../suggest.ts";
import { SopConfig } from "./schema.ts";

type ConfigPath = readonly PropertyKey[];

export interface ParsedConfig {
  value: SopConfig;
  /** Returns the `line:column` of a key, to report where a value comes from. */
  positionOf(path: ConfigPath): string;
}

interface ConfigProblem extends Problem {
  path: string;
  line: number;
}

/** @throws ConfigError with all errors in the config */
export function readConfig(text: string, file: string): ParsedConfig {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    schema: "core",
    customTags: [],
    logLevel: "silent",
    lineCounter: lines,
  });
  const configProblem = (offset: number, problem: string, hint?: string): ConfigProblem => {
    const { line, col } = lines.linePos(offset);
    const message = `${file}:${line || 1}:${col || 1}: ${problem}`;
    return { code: "config", message, path: file, line: line || 1, ...(hint !== undefined && { hint }) };
  };
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map(({ pos, message }) => configProblem(pos[0], firstLineWithoutPosition(message))),
    );
  }
  const offsetOfKey = (path: ConfigPath) => configKeyOffset(document, path);
  const parsed = SopConfig.safeParse(
    plainValueOf(document, () => configProblem(0, "it repeats itself too often")) ?? {},
  );
  const problems = parsed.success
    ? []
    : sortUnknownFirst(parsed.error.issues).flatMap((issue) => configProblemsOf(issue, offsetOfKey, configProblem));
  if (parsed.success) problems.push(...meaningProblemsOf(parsed.data, offsetOfKey, configProblem));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.sort((a, b) => a.line - b.line));
  return {
    value: parsed.data,
    positionOf: (path) => {
      const { line, col } = lines.linePos(offsetOfKey(path));
      return `${line || 1}:${col || 1}`;
    },
  };
}

/**
 * Reads a config file that another config extends, or that is a symbolic link. A stranger's repository can name any
 * file of this machine by `extends` or a link, so errors give the line number but never the line.
 */
export function readConfigHidingContent(
  text: string,
  file: string,
  refuse: (problem: string, hint: string) => CliError,
): ParsedConfig {
  try {
    return readConfig(text, file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const line = error.problems[0]?.line ?? 1;
    throw refuse(`line ${line} isn't valid in a sop config`, `sop config check --config ${file}`);
  }
}

/** All errors in one config file. The command prints the first error and the number of further errors. */
export class ConfigError extends CliError {
  readonly problems: readonly (Problem & { line?: number })[];

  constructor(problems: readonly (Problem & { line?: number })[]) {
    const [first = { code: "config", message: "the config can't be read" }] = problems;
    const more = problems.length - 1;
    const hint = more > 0 ? `and ${more} more: sop config check` : first.hint;
    super(exit.invalid, { ...first, ...(hint !== undefined && { hint }) });
    this.problems = problems;
  }
}

type ReportConfigProblem = (offset: number, problem: string, hint?: string) => ConfigProblem;
type ConfigIssue = z.core.$ZodIssue;

/** Sorts misspelled keys first, because other errors can follow from them. */
function sortUnknownFirst(issues: readonly ConfigIssue[]): ConfigIssue[] {
  const isUnknown = ({ code }: ConfigIssue) => Number(code === "unrecognized_keys");
  return issues.toSorted((a, b) => isUnknown(b) - isUnknown(a));
}

function configProblemsOf(
  issue: ConfigIssue,
  at: (path: ConfigPath) => number,
  createProblem: ReportConfigProblem,
): ConfigProblem[] {
  const name = issue.path.filter((part) => typeof part === "string").at(-1);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => createProblem(at([...issue.path, key]), unknownKeyText(key, issue.path)));
  }
  const key = name === undefined ? "this" : String(name);
  if (issue.code === "invalid_value") {
    return [createProblem(at(issue.path), `${key} is one of ${issue.values.map(String).join(", ")}`)];
  }
  if (issue.path.length === 0) return [createProblem(0, "not a list of `key: value` lines")];
  const expected =
    issue.code === "invalid_type" || issue.code === "invalid_union" ? wantedKinds[expectedTypeOf(issue)] : undefined;
  const problem =
    expected === undefined ? `: ${issue.message.replace(/^Invalid input: /, "")}` : ` must be ${expected}`;
  return [createProblem(at(issue.path), `${key}${problem}`)];
}

function expectedTypeOf(issue: ConfigIssue): string {
  return issue.code === "invalid_type" ? issue.expected : "union";
}

const wantedKinds: Record<string, string> = {
  object: "a list of `name: value` lines",
  record: "a list of `name: value` lines",
  array: "a list",
  string: "a text",
  number: "a whole number of at least 1",
  int: "a whole number of at least 1",
  union: "a list of sections, or `kind: [sections]` lines",
};

function unknownKeyText(key: string, path: ConfigPath): string {
  const known = allowedKeysAt(path);
  return `unknown key ${key}${nearNameHint(key, known)}; known keys are ${known.filter((name) => name !== "$schema").join(", ")}`;
}

function allowedKeysAt(path: ConfigPath): string[] {
  const { shape } = SopConfig;
  const parent = path.at(-1);
  if (parent === "limits") return Object.keys(shape.limits.unwrap().shape);
  return Object.keys(typeof parent === "number" ? shape.overrides.unwrap().element.shape : shape);
}

/** Checks what the schema can't: that rules exist and that settings such as patterns are valid. */
function meaningProblemsOf(
  config: SopConfig,
  at: (path: ConfigPath) => number,
  createProblem: ReportConfigProblem,
): ConfigProblem[] {
  const parts: [ConfigPath, Pick<SopConfig, "rules">][] = [[[], config]];
  config.overrides?.forEach((override, index) => parts.push([["overrides", index], override]));
  return parts.flatMap(([path, part]) => [
    ...Object.keys(part.rules ?? {}).flatMap((id) => {
      const problem = unknownRuleMessage(id);
      return problem === null
        ? []
        : [createProblem(at([...path, "rules", id]), problem, "sop lint --list-rules names them")];
    }),
    ...settingsProblems(part, (key) => at([...path, key]), createProblem),
  ]);
}

function settingsProblems(
  part: object,
  at: (key: string) => number,
  createProblem: ReportConfigProblem,
): ConfigProblem[] {
  try {
    readLintSettings(part as Record<string, unknown>);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [createProblem(at((error.details as { key: string }).key), error.message)];
  }
}

/** Returns the offset of a key in the file, or of the nearest key around it that has an offset. */
function configKeyOffset(document: Document.Parsed, path: ConfigPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => valueOfYamlKey(item.key) === key) : undefined;
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
}

function valueOfYamlKey(key: unknown): unknown {
  return (key as { value?: unknown } | null)?.value;
}

function plainValueOf(document: Document.Parsed, createProblem: () => ConfigProblem): unknown {
  try {
    return document.toJS({ maxAliasCount: 16 });
  } catch {
    throw new ConfigError([createProblem()]);
  }
}

function firstLineWithoutPosition(message: string): string {
  return (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
}
