import type { FileFacts } from "./facts.ts";
import { compareFindingPositions } from "./positions.ts";
import { severityOfRule, type RuleChoice } from "./presets.ts";
import type { AcrossContext, PresetName, LintContext } from "./rule.ts";
import { findingOf, type Finding } from "./finding.ts";
import { rules as allRules } from "./rules/index.ts";
import { withDefaultSettings, type SomeSettings } from "./settings.ts";
import { applySuppressions } from "./suppress.ts";

const acrossRules = allRules.filter(({ across }) => across !== undefined);

export interface AcrossOptions {
  preset: PresetName;
  rules?: RuleChoice;
  settings?: SomeSettings;
}

/**
 * Checks files against one another by their facts: duplicate numbers and ids, links without a target or to archived
 * SOPs, overdue reviews. Returns findings by path, in the order of the text; a path without findings is absent.
 * @param optionsOf gives the options of a file's folder
 */
export function lintAcross(
  facts: readonly FileFacts[],
  optionsOf: AcrossOptions | ((path: string) => AcrossOptions),
  surroundings: LintContext = {},
): Map<string, Finding[]> {
  const files = new Map(facts.map((file) => [file.path, file]));
  const named = pathsByName(facts);
  const found = new Map<string, Finding[]>();
  for (const file of facts) {
    const { preset, rules, settings } = typeof optionsOf === "function" ? optionsOf(file.path) : optionsOf;
    const findings: Finding[] = [];
    const active = new Set<string>();
    for (const rule of acrossRules) {
      const severity = severityOfRule(rule.id, preset, rules);
      if (severity === undefined || file.unreadable) continue;
      active.add(rule.id);
      const reportFinding: AcrossContext["report"] = (message, at, fix) =>
        void findings.push(findingOf(rule.id, severity, message, at, fix));
      rule.across?.({
        file,
        files,
        named,
        settings: withDefaultSettings(settings),
        surroundings,
        report: reportFinding,
      });
    }
    const kept = applySuppressions(file.suppressions, findings, { active, reasonRequired: false });
    if (kept.length > 0) found.set(file.path, kept.sort(compareFindingPositions));
  }
  return found;
}

function pathsByName(facts: readonly FileFacts[]): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const { path, sop, id } of facts) {
    for (const name of new Set([sop, id])) {
      if (name === undefined) continue;
      const paths = named.get(name);
      if (paths === undefined) named.set(name, [path]);
      else paths.push(path);
    }
  }
  return named;
}
