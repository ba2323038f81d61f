/** What a company decides for itself (`design/domain.md`). No zod in here: browsers load it with `Me`. */
import type { Action } from "../access/actions.ts";
import type { PresetName } from "../lint/presets.ts";
import type { Role } from "../access/roles.ts";

/** `n_of_m` needs `count` approvals, or all of fewer approvers. */
export interface ApprovalRule {
  kind: "all" | "any" | "n_of_m";
  count: number | null;
}

/** Which rules a text has to keep before it is submitted or published: their errors stop it. */
export const textRules = ["off", "minimal", "recommended", "regulated"] as const satisfies ("off" | PresetName)[];
export type TextRules = (typeof textRules)[number];

export interface CompanySettings {
  documentControl: "flexible" | "strict";
  approvalRule: ApprovalRule;
  allowSelfApproval: boolean;
  /** Months from publication to the next review; null asks for none. */
  reviewMonths: number | null;
  textRules: TextRules;
  aiEnabled: boolean;
  /** May only be more than the server asks for; null leaves it there. */
  passwordMinimum: number | null;
  /** What this company's roles may do beyond, or short of, the matrix. */
  roleOverrides: Partial<Record<Role, Partial<Record<Action, boolean>>>>;
}

export const defaultSettings: CompanySettings = {
  documentControl: "flexible",
  approvalRule: { kind: "all", count: null },
  allowSelfApproval: false,
  reviewMonths: 12,
  textRules: "minimal",
  aiEnabled: true,
  passwordMinimum: null,
  roleOverrides: {},
};
