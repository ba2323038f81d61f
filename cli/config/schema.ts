/** The schema of `sop.config.yaml`. Data only: CI lints files from strangers, so nothing in it can run. */
import { z } from "zod";
import { presets } from "#core/lint/presets.ts";
import type { PresetName } from "#core/lint/rule.ts";
import { rules } from "#core/lint/rules/index.ts";
import { defaultSettings, type LintLimits } from "#core/lint/settings.ts";

const text = z.string().trim().min(1);
const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]];
const limitNames = Object.keys(defaultSettings.limits) as (keyof LintLimits)[];
const limit = z.int().min(1).optional();

const preset = z.enum(presetNames).describe("which rules are on, and their severities");
const severities = ["error", "warning", "info", "off"] as const;
const ruleChoice = z.record(z.string(), z.enum(severities)).describe("rule → severity, if it differs from the preset");

const settings = {
  idPattern: text.describe("what `sop` must look like: a regular expression, matched as a whole"),
  terms: z.record(text, text).describe("banned term → what to write instead"),
  acronyms: z.array(text).describe("acronyms that everyone in the company knows"),
  sections: z
    .union([z.array(text), z.record(text, z.array(text))])
    .describe("required sections: one list, or a list for each kind of document"),
  lang: text.describe("the language of files that don't name one"),
  limits: z
    .strictObject(Object.fromEntries(limitNames.map((name) => [name, limit])) as Record<keyof LintLimits, typeof limit>)
    .describe("limits for the length and depth of steps, for sentences and for the time between reviews"),
};

export const dialects = ["github", "mkdocs"] as const;
const dialect = z
  .enum(dialects)
  .describe("what shows the files beside Sopwright: `fmt` indents lists in lists by 4 for mkdocs");

const choices = { preset, rules: ruleChoice, dialect, ...settings };

const override = z.strictObject({
  files: z.array(text).min(1).describe("patterns as in .gitignore, relative to this file's folder"),
  ...z.strictObject(choices).partial().shape,
});

export const SopConfig = z
  .strictObject({
    $schema: z.string().describe("the path of this schema, for editors"),
    schema: z.literal(1).describe("the version of this format"),
    extends: text.describe("another config file to start from, relative to this file's folder"),
    ...choices,
    overrides: z.array(override).describe("settings for some files; the last match wins"),
  })
  .partial();
export type SopConfig = z.infer<typeof SopConfig>;

/** Returns the JSON Schema of the config, with each rule's name and reason, for completion and checks in editors. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(SopConfig, { io: "input" });
  const known = {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(rules.map(({ id, why }) => [id, { enum: severities, description: why.text }])),
  };
  const named: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "rules" && isObject(value) && "propertyNames" in value
      ? { ...known, description: value["description"] }
      : value,
  );
  return { ...(named as object), title: "sop.config.yaml" };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
