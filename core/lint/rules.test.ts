import { describe, expect, it } from "vitest";
import { lintAcross } from "./across.ts";
import { lintText, lintFile, type LintOptions } from "./engine.ts";
import { readFileFacts } from "./facts.ts";
import { applyFixes, lintAndFix } from "./fix.ts";
import { presets } from "./presets.ts";
import type { Rule } from "./rule.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules/index.ts";

const off = Object.fromEntries(rules.map((rule) => [rule.id, "off" as const]));

/** Only the rule under test. */
function only({ id, setting = {} }: Rule): LintOptions {
  const { path = "a.md", preset = "recommended", settings, base } = setting;
  return {
    path,
    preset,
    rules: { ...off, [id]: "error" },
    ...(settings === undefined ? {} : { settings }),
    ...(base === undefined ? {} : { base }),
  };
}

function findingsOf(rule: Rule, text: string): Finding[] {
  const options = only(rule);
  if (rule.across === undefined) return lintText(text, options);
  const { others = {}, today } = rule.setting ?? {};
  const facts = Object.entries(others).map(([path, other]) => readFileFacts(other, path));
  const surroundings = today === undefined ? {} : { today };
  const here = lintFile(text, options).facts;
  expect(readFileFacts(text, options.path)).toEqual(here);
  return lintAcross([...facts, here], options, surroundings).get(options.path) ?? [];
}

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  it.each(rule.good)("accepts %j", (text) => {
    expect(findingsOf(rule, text)).toEqual([]);
  });

  it.each(rule.bad.map((example) => [example.text, example] as const))("finds %j", (text, example) => {
    const findings = findingsOf(rule, text);
    expect(findings.map(({ line }) => line)).toEqual(example.lines);
    for (const finding of findings) expect(finding).toMatchObject({ rule: id, severity: "error" });
  });

  it.each(rule.bad.flatMap((example) => (example.fixed === undefined ? [] : [[example.text, example.fixed] as const])))(
    "fixes %j",
    (text, fixed) => {
      if (rule.across === undefined) {
        expect(lintAndFix(text, only(rule), rule.fixable === "unsafe")).toMatchObject({ text: fixed, findings: [] });
      } else {
        expect(applyFixes(text, findingsOf(rule, text), rule.fixable === "unsafe").text).toBe(fixed);
        expect(findingsOf(rule, fixed)).toEqual([]);
      }
    },
  );

  it("has good and bad examples, and a fixed one exactly when it can fix", () => {
    expect(rule.good.length).toBeGreaterThan(0);
    expect(rule.bad.length).toBeGreaterThan(0);
    expect(rule.bad.some(({ fixed }) => fixed !== undefined)).toBe(rule.fixable !== "no");
  });

  it("looks at files alone or among others, not both", () => {
    expect((rule.create === undefined) !== (rule.across === undefined)).toBe(true);
  });
});

it("has unique ids, and presets know only rules that exist", () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const preset of Object.values(presets)) for (const id of Object.keys(preset.rules)) expect(ids).toContain(id);
});
