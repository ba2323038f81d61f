/** The company's own settings. Browsers load this file with `Me`, so it has no zod. */
import type { PermittedAction } from "../permissions/actions.ts";
import { defaultNumberScheme } from "../numbers/numbers.ts";
import type { PresetName } from "#core/lint/rule.ts";
import type { Role } from "../permissions/roles.ts";

/**
 * The approvals that a publication needs. With `n_of_m`, `count` approvals are needed, and a request must name at least
 * as many people.
 */
export interface ApprovalRule {
  kind: "all" | "any" | "n_of_m";
  count: number | null;
}

/** Sets of lint rules whose errors block the submission and publication of a text. */
export const textRules = ["off", "minimal", "recommended", "regulated"] as const satisfies ("off" | PresetName)[];
export type TextRules = (typeof textRules)[number];

export interface CompanySettings {
  documentControl: "flexible" | "strict";
  approvalRule: ApprovalRule;
  allowSelfApproval: boolean;
  /** Months from publication to the next periodic review; null for no review. */
  reviewMonths: number | null;
  /** The default number of days to confirm reading; null for no due date. */
  readingDays: number | null;
  /** The scheme for the numbers of new SOPs (`core/numbers/numbers.ts`). */
  numberScheme: string;
  textRules: TextRules;
  aiEnabled: boolean;
  /** AI tokens with the server's key, for each user per day and for the company per month (UTC); null for no limit. */
  aiUserTokensPerDay: number | null;
  aiCompanyTokensPerMonth: number | null;
  /** The minimum length of passwords; null for the server's minimum. */
  passwordMinimum: number | null;
  /** The address that gets the latest commit ids of the repository every day; null for no email. */
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
