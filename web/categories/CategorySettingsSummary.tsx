import { useRead } from "../api.ts";
import type { Category } from "./category-values.ts";
import { texts } from "./texts.ts";

/** Shows the category's team and its rules that replace the company's rules; nothing for most categories. */
export function CategorySettingsSummary({ category }: { category: Category }) {
  const { teamId, requiresApproval, approvalRule, reviewMonths } = category;
  const teams = useRead("teams", "list", {}, { enabled: teamId !== null });
  const team = teams.data?.find(({ id }) => id === teamId);
  const facts = [
    team && texts.team({ name: team.name }),
    requiresApproval && texts.approval,
    approvalRule && categoryRuleText(approvalRule),
    reviewMonths !== null && texts.review({ months: reviewMonths }),
  ];
  return facts.filter(Boolean).join(" · ");
}

function categoryRuleText({ kind, count }: NonNullable<Category["approvalRule"]>): string {
  return kind === "n_of_m" ? texts.approvals({ count: count ?? 1 }) : texts.rules[kind];
}
