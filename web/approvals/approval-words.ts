/** Texts about the state of an approval request. */
import { printedName } from "#core/users/printed-name.ts";
import type { Output } from "../api.ts";
import { outcomeTexts } from "./texts.ts";
import { catalog } from "#core/language/catalog.ts";
import { listText } from "#core/language/formats.ts";

const texts = catalog("approvals.words", {
  oneNeeded: "One approval is needed",
  both: "Both must approve",
  all: "All must approve",
  oneEnough: "One approval is enough",
  someMust: "{needed, number} of {total, number} must approve",
  progress: "{given, number} of {needed, number} approved",
  withdrewIt: "{name} withdrew it",
  changedSop: "{name} changed the SOP",
  endedBy: "{outcome} by {names}",
  ended: "This request has ended. {end}.",
});

export type ListedApproval = Output<"approvals", "list">[number];

/** Returns the approvers of a request without those who were replaced. */
export function countedApprovers({ approvers }: Pick<ListedApproval, "approvers">) {
  return approvers.filter(({ replacedAt }) => replacedAt === null);
}

/**
 * Returns the approvers of a pending request who haven't decided and can't decide anymore; none after the request has
 * ended.
 */
export function unavailableApproversOf(approval: ListedApproval) {
  return approval.status === "pending" ? countedApprovers(approval).filter(({ active }) => !active) : [];
}

/** The rule in words: 'Both must approve', 'One approval is enough', '2 of 3 must approve'. */
export function approvalRuleText({
  rule,
  needed,
  approvers,
}: Pick<ListedApproval, "rule" | "needed" | "approvers">): string {
  const total = countedApprovers({ approvers }).length;
  if (total === 1) return texts.oneNeeded;
  if (rule.kind === "all") return total === 2 ? texts.both : texts.all;
  return rule.kind === "any" ? texts.oneEnough : texts.someMust({ needed, total });
}

/** The progress in words: '1 of 2 approved'. */
export function approvalProgressText({ needed, approvers }: Pick<ListedApproval, "needed" | "approvers">): string {
  const given = countedApprovers({ approvers }).filter(({ status }) => status === "approved").length;
  return texts.progress({ given, needed });
}

/** Says whether one more approval ends the request. */
export function isNextApprovalLast({ needed, approvers }: Pick<ListedApproval, "needed" | "approvers">): boolean {
  const given = countedApprovers({ approvers }).filter(({ status }) => status === "approved").length;
  return given + 1 >= needed;
}

const approverNamesText = (people: readonly Pick<ListedApproval["approvers"][number], "user">[]) =>
  listText(people.map(({ user }) => printedName(user)));

/** The outcome in words: 'Approved by Ada and Ben', 'Ada withdrew it'; null while the request is pending. */
export function requestOutcomeText({
  outcome,
  approvers,
  endedBy,
}: Pick<ListedApproval, "outcome" | "approvers" | "endedBy">): string | null {
  if (outcome === null) return null;
  const status = outcome === "approved" ? "approved" : "rejected";
  const deciders = countedApprovers({ approvers }).filter((one) => one.status === status);
  if (outcome === "withdrawn" && endedBy) return texts.withdrewIt({ name: printedName(endedBy) });
  if (outcome === "voided" && endedBy) return texts.changedSop({ name: printedName(endedBy) });
  return deciders.length === 0
    ? outcomeTexts[outcome]
    : texts.endedBy({ outcome: outcomeTexts[outcome], names: approverNamesText(deciders) });
}

/** The outcome in sentences: 'This request has ended. Ada withdrew it.'; null while the request is pending. */
export function requestOutcomeSentence(approval: ListedApproval): string | null {
  const end = requestOutcomeText(approval);
  return end === null ? null : texts.ended({ end });
}
