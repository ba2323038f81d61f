/**
 * Groups and orders the people who are offered as approvers. People without the permission to approve aren't listed.
 */
import type { Role } from "#core/permissions/roles.ts";
import type { Output } from "../api.ts";
import { approverGroupTexts, ineligibleReasonTexts } from "./texts.ts";

export type OfferedApprover = Output<"approvals", "candidates">["people"][number];

/** Roles that usually approve. Other people can have the permission, but are seldom the ones to choose. */
const usualApproverRoles: ReadonlySet<Role> = new Set([
  "system_admin",
  "company_admin",
  "admin",
  "manager",
  "reviewer",
]);

export const isUsualApprover = (role: Role): boolean => usualApproverRoles.has(role);

export type OfferedApprovers = Output<"approvals", "candidates">;

type ApproverGroup = keyof typeof approverGroupTexts;

function approverGroupOf({ eligible, role }: Pick<OfferedApprover, "eligible" | "role">): ApproverGroup {
  if (!eligible) return "unable";
  return isUsualApprover(role) ? "usual" : "others";
}

const groupOrder = ["usual", "others", "unable"] as const satisfies readonly ApproverGroup[];

/**
 * Groups people: those who usually approve, others who can, and those who can't for a reason that is shown, such as
 * authors of the draft. Leaves out all others and empty groups.
 */
export function offeredApproversByGroup(
  people: readonly OfferedApprover[],
): { group: ApproverGroup; members: OfferedApprover[] }[] {
  const listed = people.filter(({ eligible, reason }) => eligible || (reason && reason in ineligibleReasonTexts));
  return groupOrder
    .map((group) => ({ group, members: listed.filter((person) => approverGroupOf(person) === group) }))
    .filter(({ members }) => members.length > 0);
}
