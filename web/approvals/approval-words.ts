/** What an approval request says of itself, in words. */
import { printedName } from "#core/users/printed-name.ts";
import type { Output } from "../api.ts";
import { outcomeTexts, pendingTexts } from "./texts.ts";

export type Approval = Output<"approvals", "list">[number];

/** Those whom the request counts on: who was replaced counts no more. */
export function countedApprovers({ approvers }: Pick<Approval, "approvers">) {
  return approvers.filter(({ replacedAt }) => replacedAt === null);
}

/** Approvers it waits for who can't sign in anymore. */
export function unavailableOf(approval: Approval) {
  return approval.status === "pending" ? countedApprovers(approval).filter(({ active }) => !active) : [];
}

/** 'Both must approve', 'One approval is enough', '2 of 3 must approve'. */
export function ruleText({ rule, needed, approvers }: Pick<Approval, "rule" | "needed" | "approvers">): string {
  const total = countedApprovers({ approvers }).length;
  if (total === 1) return "One approval is needed";
  if (rule.kind === "all") return total === 2 ? "Both must approve" : "All must approve";
  return rule.kind === "any" ? "One approval is enough" : `${needed} of ${total} must approve`;
}

/** '1 of 2 approved'. */
export function progressText({ needed, approvers }: Pick<Approval, "needed" | "approvers">): string {
  const given = countedApprovers({ approvers }).filter(({ status }) => status === "approved").length;
  return `${given} of ${needed} approved`;
}

/** Would one more approval end the request? */
export function isLastApproval({ needed, approvers }: Pick<Approval, "needed" | "approvers">): boolean {
  const given = countedApprovers({ approvers }).filter(({ status }) => status === "approved").length;
  return given + 1 >= needed;
}

const names = (people: readonly Pick<Approval["approvers"][number], "user">[]) =>
  new Intl.ListFormat("en").format(people.map(({ user }) => printedName(user)));

/** 'Approved by Ada and Ben', 'Changes requested by Ada': how an ended request ended; null while it is pending. */
export function endText({
  outcome,
  approvers,
  endedBy,
}: Pick<Approval, "outcome" | "approvers" | "endedBy">): string | null {
  if (outcome === null) return null;
  const status = outcome === "approved" ? "approved" : "rejected";
  const deciders = countedApprovers({ approvers }).filter((one) => one.status === status);
  if (outcome === "withdrawn" && endedBy) return `${printedName(endedBy)} withdrew it`;
  if (outcome === "voided" && endedBy) return `${printedName(endedBy)} changed the SOP`;
  return deciders.length === 0 ? outcomeTexts[outcome] : `${outcomeTexts[outcome]} by ${names(deciders)}`;
}

/** 'This request has ended: approved by Ada and Ben.', 'This request has ended: Ada withdrew it.'; null while it is pending. */
export function endSentence(approval: Approval): string | null {
  const end = endText(approval);
  if (end === null || approval.outcome === null) return null;
  const beginsWithName = !end.startsWith(outcomeTexts[approval.outcome]);
  return `${pendingTexts.ended}: ${beginsWithName ? end : end.charAt(0).toLowerCase() + end.slice(1)}.`;
}
