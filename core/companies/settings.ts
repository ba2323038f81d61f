/** What a company decides for itself (`design/domain.md`). No zod in here: browsers load it with `Me`. */
import type { Action } from "../access/actions.ts";
import type { Role } from "../access/roles.ts";

/** `n_of_m` needs `count` approvals, or all of fewer approvers. */
export interface ApprovalRule {
  kind: "all" | "any" | "n_of_m";
  count: number | null;
}

export interface CompanySettings {
  documentControl: "flexible" | "strict";
  approvalRule: ApprovalRule;
  allowSelfApproval: boolean;
  /** Months from publication to the next review; null asks for none. */
  reviewMonths: number | null;
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
  aiEnabled: true,
  passwordMinimum: null,
  roleOverrides: {},
};
