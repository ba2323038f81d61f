import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { PresetName } from "./rule.ts";
import type { Severity } from "./finding.ts";
import { rules } from "./rules/index.ts";

export interface Preset {
  rules: Readonly<Record<string, Severity>>;
  /** Keys that the front matter must have. */
  required: readonly (keyof FrontMatter)[];
  /** Sections that a document must have, unless the company's settings differ. */
  sections: readonly string[];
  /** True if each suppression must give a reason. */
  reasonRequired: boolean;
}

const essential = ["title", "description", "owner"] as const;

/** The rules for every SOP, even in the smallest company. */
const minimal: Preset = {
  required: essential,
  sections: [],
  reasonRequired: false,
  rules: {
    "meta/required": "error",
    "meta/server-owned": "error",
    "meta/id-unique": "error",
    "meta/dates": "error",
    "struct/no-h1": "error",
    "struct/procedure-steps": "error",
    "struct/heading-increment": "warning",
    "struct/empty-section": "warning",
    "ref/internal-link": "error",
    "ref/sop": "error",
    "ref/image-alt": "error",
    "table/uneven-rows": "warning",
    "text/marks-as-text": "warning",
    "text/placeholder": "error",
    "text/secret": "error",
  },
};

/** Rules with more than 1 false issue in 10 in real documents (`npm run bench -- text:rules`). */
const impreciseRules: readonly string[] = ["step/vague", "style/passive", "term/undefined-acronym"];

/** Every precise rule at its own severity. */
const recommended: Preset = {
  required: essential,
  sections: ["Purpose", "Scope", "Responsibilities", "Procedure"],
  reasonRequired: false,
  rules: Object.fromEntries(rules.flatMap(({ id, severity }) => (impreciseRules.includes(id) ? [] : [[id, severity]]))),
};

const stricterSeverityOf = { error: "error", warning: "error", info: "warning" } as const satisfies Record<
  Severity,
  Severity
>;

/** The preset for auditors of GMP and ISO 9001: warnings of other presets are errors. */
const regulated: Preset = {
  required: [...essential, "effective", "review_by"],
  sections: [...recommended.sections, "Definitions", "Safety", "Records", "References"],
  reasonRequired: true,
  rules: Object.fromEntries(rules.map(({ id, severity }) => [id, stricterSeverityOf[severity]])),
};

export const presets: Readonly<Record<PresetName, Preset>> = { minimal, recommended, regulated };

/** Severities that differ from the preset, by rule id. */
export type RuleChoice = Readonly<Record<string, Severity | "off">>;

/** The severity of a rule; undefined if it is off. */
export function severityOfRule(id: string, preset: PresetName, chosen: RuleChoice = {}): Severity | undefined {
  const own = Object.hasOwn(chosen, id) ? chosen[id] : undefined;
  const severity = own ?? presets[preset].rules[id];
  return severity === "off" ? undefined : severity;
}
