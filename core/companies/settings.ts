/** The company's own settings. No zod in here: browsers load it with `Me`. */
import type { Action } from "../permissions/actions.ts";
import { defaultNumberScheme } from "../numbers/numbers.ts";
import type { PresetName } from "#core/lint/rule.ts";
import type { Role } from "../permissions/roles.ts";

/** `n_of_m` needs `count` approvals; a request must name that many people. */
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
  /** Days to confirm reading that a request proposes; null proposes no due date. */
  readingDays: number | null;
  /** The scheme of the numbers of new SOPs (`core/numbers/numbers.ts`). */
  numberScheme: string;
  textRules: TextRules;
  aiEnabled: boolean;
  /** Tokens on the server's key, for each user a day and for the company a month (UTC); null: no budget. */
  aiUserTokensPerDay: number | null;
  aiCompanyTokensPerMonth: number | null;
  /** May only be more than the server asks for; null leaves it there. */
  passwordMinimum: number | null;
  /** Gets the heads of the repository every day; null: no email. */
  witnessEmail: string | null;
  /** Words of one meaning: a search for one finds the others. */
  glossary: string[][];
  /** This company's changes to the permissions of roles. */
  roleOverrides: Partial<Record<Role, Partial<Record<Action, boolean>>>>;
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
