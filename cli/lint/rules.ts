/** Chooses, lists and explains rules. */
import { editDistance } from "#core/text/distance.ts";
import type { PresetName, Rule } from "#core/lint/rule.ts";
import { presets } from "#core/lint/presets.ts";
import type { Severity } from "#core/lint/finding.ts";
import { spokenText } from "#core/language/catalog.ts";
import { rules } from "#core/lint/rules/index.ts";
import { alignedColumns } from "../columns.ts";
import { invalidInputError, type CliError } from "../exit.ts";

export type RuleChoice = Record<string, Severity | "off">;

const severities = ["error", "warning", "info", "off"] as const;

/** @throws the error that `refuse` returns for an unknown rule or severity */
function parseRuleChoice(entries: readonly [string, unknown][], refuse: (message: string) => CliError): RuleChoice {
  return Object.fromEntries(
    entries.map(([id, level]) => {
      const unknown = unknownRuleMessage(id);
      if (unknown !== null) throw refuse(unknown);
      const severity = severities.find((known) => known === level);
      if (severity === undefined) throw refuse(`${id} is one of ${severities.join(", ")}`);
      return [id, severity];
    }),
  );
}

/** Reads flags such as `--rule meta/required=warning`. */
export function ruleChoiceOfFlags(flags: readonly string[]): RuleChoice {
  const entries = flags.map((flag): [string, string] => {
    const [id = "", severity = ""] = flag.split("=");
    return [id, severity];
  });
  return parseRuleChoice(entries, (message) =>
    invalidInputError("rule", message, { hint: "--rule <id>=<severity>; --list-rules names them" }),
  );
}

/** Returns the message for an unknown rule; null for a known rule. */
export function unknownRuleMessage(id: string): string | null {
  return rules.some((rule) => rule.id === id) ? null : `unknown rule ${id}${similarRuleHint(id)}`;
}

/**
 * Suggests a rule whose name differs by a few letters, then rules that share words with the name, the most alike first.
 */
function similarRuleHint(id: string): string {
  const short = id.slice(id.indexOf("/") + 1);
  const close = rules.find((rule) => editDistance(short, rule.id.slice(rule.id.indexOf("/") + 1), 2).full <= 2);
  const words = id.split(/[/\s-]+/).filter((word) => word.length > 2);
  const near = rules
    .map((rule) => ({ id: rule.id, alike: words.filter((word) => rule.id.includes(word)).length }))
    .filter(({ alike }) => alike > 0)
    .toSorted((a, b) => b.alike - a.alike)
    .map((rule) => rule.id);
  const names = [...new Set([...(close === undefined ? [] : [close.id]), ...near])].slice(
    0,
    close === undefined ? 2 : 1,
  );
  return names.length === 0 ? "" : `; did you mean ${names.join(" or ")}?`;
}

export interface RuleRow {
  id: string;
  severity: Severity | "off";
  fixable: Rule["fixable"];
  why: string;
  source: string;
}

export function listRules(preset: PresetName, chosen: RuleChoice): RuleRow[] {
  const active: RuleChoice = { ...presets[preset].rules, ...chosen };
  return rules.map(({ id, fixable, why, source }) => {
    return { id, severity: active[id] ?? "off", fixable, why: spokenText(why), source };
  });
}

export function rulesText(rows: readonly RuleRow[]): string {
  return alignedColumns(rows.map(({ id, severity, why }) => [id, severity, why]));
}

/** @throws exit 2 for a rule that does not exist */
export function explainRule(id: string): Rule {
  const rule = rules.find((known) => known.id === id);
  if (rule === undefined)
    throw invalidInputError("rule", unknownRuleMessage(id) ?? "", { hint: "--list-rules names them" });
  return rule;
}

export function ruleExplanationText({ id, severity, fixable, why, source, good, bad }: Rule): string {
  const exampleText = (title: string, text: string) => `${title}\n${text.trimEnd().replace(/^(?=.)/gm, "    ")}\n`;
  return [
    `${id} (${severity}${fixable === "no" ? "" : `, ${fixable} fix`})`,
    `${spokenText(why)}\nFrom: ${source}\n`,
    ...good.slice(0, 1).map((text) => exampleText("Good:", text)),
    ...bad.slice(0, 1).map(({ text }) => exampleText("Bad:", text)),
  ].join("\n");
}
