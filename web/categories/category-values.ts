/** Converts a category to the form's values, and the values to a request body. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { Input, Output } from "../api.ts";

export type Category = Output<"categories", "list">[number];

export interface CategoryValues {
  name: string;
  color: Category["color"];
  /** The id of the category around this one; empty for none. */
  parentId: string;
  /** The id of the category's team; empty for none. */
  teamId: string;
  requiresApproval: boolean;
  /** `company` means that the category has no rule of its own. */
  approvalRule: { kind: ApprovalRule["kind"] | "company"; count: number | null };
  reviewMonths: number | null;
}

export function categoryFormValuesOf(category: Category | null): CategoryValues {
  return {
    name: category?.name ?? "",
    color: category?.color ?? "primary",
    parentId: category?.parentId ?? "",
    teamId: category?.teamId ?? "",
    requiresApproval: category?.requiresApproval ?? false,
    approvalRule: category?.approvalRule ?? { kind: "company", count: null },
    reviewMonths: category?.reviewMonths ?? null,
  };
}

export function categoryBodyOf({
  parentId,
  teamId,
  approvalRule,
  ...values
}: CategoryValues): Input<"categories", "create">["body"] {
  const { kind, count } = approvalRule;
  return {
    ...values,
    parentId: parentId || null,
    teamId: teamId || null,
    approvalRule: kind === "company" ? null : { kind, ...(kind === "n_of_m" && { count }) },
  };
}
