import type { Root } from "mdast";
import { AppError } from "#core/errors.ts";
import { convertToKind, assertNoScriptedFrontMatter } from "#core/markdown/front-matter.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { readYaml } from "#core/markdown/yaml.ts";
import { createFactsReader, unreadableFileFacts, type FileFacts } from "./facts.ts";
import { readLintedFrontMatter, type LintedFrontMatter } from "./front.ts";
import { readOutline } from "./outline.ts";
import { parseFile } from "./parse-file.ts";
import { compareFindingPositions, createPositionLookup } from "./positions.ts";
import { presets, severityOfRule, type RuleChoice } from "./presets.ts";
import type { PresetName, Rule, RuleContext, ServerOwned } from "./rule.ts";
import { walkForVisitors, type Visitor } from "./walk.ts";
import { findingOf, type Finding, type Severity } from "./finding.ts";
import { rules as allRules } from "./rules/index.ts";
import { withCheckedSafeFixes } from "./safe-fix.ts";
import { withDefaultSettings, type LintSettings, type SomeSettings } from "./settings.ts";
import { findProcedureSteps } from "./steps.ts";
import { applySuppressions } from "./suppress.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const refusals = sentences("core.lint.refusals", {
  nestedTooDeeply: "The text is nested too deeply",
});
const texts = sentences("core.lint.engine", {
  language: 'Rules of steps and style know English only: they are off for "{lang}"',
});

export interface LintOptions {
  /** The file's path, with `/` between folders, for rules that check it. */
  path: string;
  preset: PresetName;
  /** Severities that differ from the preset, by rule id. */
  rules?: RuleChoice;
  /** Settings of the company. */
  settings?: SomeSettings;
  /** The last values that the server wrote, if known. Changed values are then errors. */
  base?: ServerOwned;
}

export interface LintResult {
  findings: Finding[];
  /** The facts that `lintAcross` needs. */
  facts: FileFacts;
}

/**
 * Checks one file: it is parsed once, walked once, and checked by every rule of the preset. Findings come in the order
 * of the text. A file that can't be read gets one `parse/…` finding; invalid input never throws.
 */
export function lintText(text: string, options: LintOptions): Finding[] {
  return lintFile(text, options).findings;
}

/** Checks a file like `lintText`, and also returns the facts that checks of other files need. */
export function lintFile(text: string, options: LintOptions): LintResult {
  // The parser's offsets don't count a byte order mark.
  if (text.startsWith("\uFEFF")) return shiftedPastByteOrderMark(lintFile(text.slice(1), options));
  try {
    assertParsable(text);
    assertNoScriptedFrontMatter(/^[^\r\n]*/.exec(text)?.[0] ?? "");
    const { tree, yaml } = parseFile(text);
    const front = readLintedFrontMatter(text, yaml, yaml === undefined ? null : readYaml(yaml.value));
    return checkParsedFile(text, tree, front, options);
  } catch (error) {
    const refusal = error instanceof RangeError ? new AppError("unprocessable", refusals.nestedTooDeeply()) : error;
    if (!(refusal instanceof AppError)) throw refusal;
    return { findings: [unreadableTextFinding(refusal)], facts: unreadableFileFacts(options.path) };
  }
}

function shiftedPastByteOrderMark({ findings, facts }: LintResult): LintResult {
  // Findings of one rule may share their edits, and each edit must be shifted once.
  for (const edit of new Set(findings.flatMap(({ fix }) => fix?.edits ?? []))) {
    edit.start += 1;
    edit.end += 1;
  }
  for (const { range } of facts.links) if (range !== undefined) shiftRange(range);
  for (const { range } of facts.suppressions) shiftRange(range);
  return { findings, facts };
}

function shiftRange(range: [number, number]): void {
  range[0] += 1;
  range[1] += 1;
}

function unreadableTextFinding(error: AppError): Finding {
  const details = error.details as { line?: unknown } | undefined;
  const line = typeof details?.line === "number" ? details.line : 1;
  const rule = error.code === "invalid_input" ? "parse/front-matter" : "parse/text";
  return findingOf(rule, "error", error.sentence, { line, column: 1, endLine: line, endColumn: 1 });
}

interface ActiveRule {
  rule: Rule;
  severity: Severity;
}

interface ChosenRules {
  preset: PresetName;
  rules: RuleChoice | undefined;
  english: boolean;
  active: readonly ActiveRule[];
  ids: ReadonlySet<string>;
}

let lastChoice: ChosenRules | undefined;

/** Returns the rules for a file. The result is cached, because a run checks many files with the same rules. */
function chosenRulesFor({ preset, rules }: LintOptions, english: boolean): ChosenRules {
  const last = lastChoice;
  if (last?.preset === preset && last.rules === rules && last.english === english) return last;
  const active = allRules.flatMap((rule) => {
    const severity = severityOfRule(rule.id, preset, rules);
    return severity === undefined || rule.create === undefined || (rule.english && !english)
      ? []
      : [{ rule, severity }];
  });
  lastChoice = { preset, rules, english, active, ids: new Set(active.map(({ rule }) => rule.id)) };
  return lastChoice;
}

function hasEnglishRules({ preset, rules }: LintOptions): boolean {
  return allRules.some(({ id, english }) => english && severityOfRule(id, preset, rules) !== undefined);
}

const known = new Set(allRules.map(({ id }) => id));

function checkParsedFile(text: string, tree: Root, front: LintedFrontMatter, options: LintOptions): LintResult {
  const settings = withDefaultSettings(options.settings);
  const english = isEnglish(front.values?.["lang"] ?? settings.lang);
  const { active, ids } = chosenRulesFor(options, english);
  const findings: Finding[] = [];
  const outline = readOutline(tree);
  const positionOf = createPositionLookup(text);
  const shared = ruleContextOf(text, tree, front, outline, settings, options, english);
  const visitors = active.flatMap(({ rule, severity }) => {
    const reportFinding: RuleContext["report"] = (message, place, fix) =>
      void findings.push(findingOf(rule.id, severity, message, positionOf(place), fix));
    return rule.create?.({ ...shared, report: reportFinding }) ?? [];
  });
  const reader = createFactsReader(text, options.path, front);
  walkForVisitors(tree, [reader.visitor, ...visitors], text);
  runVisitors(visitors, outline, text);
  if (!english && hasEnglishRules(options))
    findings.push(findingOf("lint/language", "info", languageNote(front, options), positionOf(front.placeOf("lang"))));
  const checked = {
    active: ids,
    known,
    reasonRequired: presets[options.preset].reasonRequired,
  };
  return {
    findings: [
      ...withCheckedSafeFixes(text, applySuppressions(reader.facts.suppressions, findings, checked), tree),
    ].sort(compareFindingPositions),
    facts: reader.facts,
  };
}

function ruleContextOf(
  text: string,
  tree: Root,
  { values, placeOf }: LintedFrontMatter,
  outline: RuleContext["outline"],
  settings: LintSettings,
  { path, base, preset }: LintOptions,
  isEnglish: boolean,
): Omit<RuleContext, "report"> {
  const { required, sections } = presets[preset];
  const isTemplate = convertToKind("boolean", values?.["template"]) === true;
  return { text, path, tree, outline, values, placeOf, base, settings, required, sections, isEnglish, isTemplate };
}

/** Calls the visitors for sections and steps, after the nodes of the tree. */
function runVisitors(visitors: readonly Visitor[], outline: RuleContext["outline"], text: string): void {
  const listeners = visitors.flatMap(({ step }) => step ?? []);
  if (listeners.length > 0) {
    for (const step of findProcedureSteps(outline, text)) for (const hear of listeners) hear(step);
  }
  for (const { section } of visitors) if (section !== undefined) for (const one of outline.sections) section(one);
  for (const { done } of visitors) done?.();
}

function languageNote({ values }: LintedFrontMatter, { settings }: LintOptions): MessageWithId {
  return texts.language({ lang: String(values?.["lang"] ?? settings?.lang) });
}

/** Tells whether a language is English (`en`, `en-GB`, `eng`). Other languages turn style and step rules off. */
function isEnglish(lang: unknown): boolean {
  return typeof lang !== "string" || lang.trim() === "" || /^(?:en|eng|english)(?:[-_].*)?$/i.test(lang.trim());
}
