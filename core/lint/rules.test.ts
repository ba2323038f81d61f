import { describe, expect, it } from "vitest";
import { lint, type LintOptions } from "./engine.ts";
import { lintAndFix } from "./fix.ts";
import { presets } from "./presets.ts";
import type { ServerOwned } from "./rule.ts";
import { rules } from "./rules/index.ts";

/** Only the rule under test. */
function only(id: string, base?: ServerOwned): LintOptions {
  const off = Object.fromEntries(rules.map((rule) => [rule.id, "off" as const]));
  return { path: "a.md", preset: "minimal", rules: { ...off, [id]: "error" }, ...(base === undefined ? {} : { base }) };
}

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  it.each(rule.good)("accepts %j", (text) => {
    expect(lint(text, only(id))).toEqual([]);
  });

  it.each(rule.bad.map((example) => [example.text, example] as const))("finds %j", (text, example) => {
    const findings = lint(text, only(id, example.base));
    expect(findings.map(({ line }) => line)).toEqual(example.lines);
    for (const finding of findings) expect(finding).toMatchObject({ rule: id, severity: "error" });
  });

  it.each(rule.bad.flatMap((example) => (example.fixed === undefined ? [] : [[example.text, example.fixed] as const])))(
    "fixes %j",
    (text, fixed) => {
      expect(lintAndFix(text, only(id), rule.fixable === "unsafe")).toMatchObject({ text: fixed, findings: [] });
    },
  );

  it("has a fixed example exactly when it can fix", () => {
    expect(rule.bad.some(({ fixed }) => fixed !== undefined)).toBe(rule.fixable !== "no");
  });
});

it("has unique ids, and presets know only rules that exist", () => {
  const ids = rules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const preset of Object.values(presets)) for (const id of Object.keys(preset.rules)) expect(ids).toContain(id);
});
