import type { Severity } from "./rule.ts";

export interface Preset {
  rules: Readonly<Record<string, Severity>>;
  /** Suppressions must say why. */
  reasonRequired: boolean;
}

/** What every SOP has to meet, however small the company. */
const minimal: Preset = {
  reasonRequired: false,
  rules: {
    "meta/required": "error",
    "meta/server-owned": "error",
    "meta/dates": "error",
    "struct/no-h1": "error",
    "struct/procedure-steps": "error",
    "struct/heading-increment": "warning",
    "struct/empty-section": "warning",
    "ref/image-alt": "error",
    "text/placeholder": "error",
    "text/secret": "error",
  },
};

export const presets = { minimal } as const satisfies Record<string, Preset>;
export type PresetName = keyof typeof presets;
