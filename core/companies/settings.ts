/** The company's own settings. Browsers load this file with `Me`, so it has no zod. */
import type { PermittedAction } from "../permissions/actions.ts";
import { defaultNumberScheme } from "../numbers/numbers.ts";
import type { PresetName } from "#core/lint/rule.ts";
import type { Role } from "../permissions/roles.ts";

/** `n_of_m` needs `count` approvals; a request must name that many people. */
export interface ApprovalRule {
  kind: "all" | "any" | "n_of_m";
  count: number | null;
}

/** The rules that a text must keep before it is submitted or published. Their errors block that. */
export const textRules = ["off", "minimal", "recommended", "regulated"] as const satisfies ("off" | PresetName)[];
export type TextRules = (typeof textRules)[number];

export interface CompanySettings {
  documentControl: "flexible" | "strict";
  approvalRule: ApprovalRule;
  allowSelfApproval: boolean;
  /** Months from publication to the next review; null asks for none. */
  reviewMonths: number | null;
  /** The days to confirm reading that a request proposes; null proposes no due date. */
  readingDays: number | null;
  /** The scheme for the numbers of new SOPs (`core/numbers/numbers.ts`). */
  numberScheme: string;
  textRules: TextRules;
  aiEnabled: boolean;
  /** Token budgets with the server's key, for each user a day and for the company a month (UTC); null: no budget. */
  aiUserTokensPerDay: number | null;
  aiCompanyTokensPerMonth: number | null;
  /** A minimum above the server's own; null keeps the server's minimum. */
  passwordMinimum: number | null;
  /** This address gets the latest commit ids of the repository every day; null: no email. */
  witnessEmail: string | null;
  /** Rows of words with one meaning: a search for one word finds the others. */
  glossary: string[][];
  /** This company's changes to the permissions of roles. */
  roleOverrides: Partial<Record<Role, Partial<Record<PermittedAction, boolean>>>>;
}

export const defaultSettings: CompanySettings = {
  documentControl: "flexible",
  approvalRule: { kind: "all", count: null },
  allowSelfApproval: false,
  reviewMonths: 12,
  readingDays: 14,
  numberScheme: defaultNumberScheme,
  textRules: "minimal",
  aiEnabled: true,
  aiUserTokensPerDay: 200_000,
  aiCompanyTokensPerMonth: 5_000_000,
  passwordMinimum: null,
  witnessEmail: null,
  glossary: [],
  roleOverrides: {},
};
