/** In which order people are offered as approvers: anybody active may be named (`design/domain.md`, Permissions). */
import type { Role } from "#core/access/roles.ts";
import type { Output } from "../api.ts";
import { groupTexts } from "./texts.ts";

export type Candidate = Output<"approvals", "candidates">[number];

/** Whose work it is: readers and authors may be asked, but are seldom meant. */
const usual: ReadonlySet<Role> = new Set(["system_admin", "company_admin", "admin", "manager", "reviewer"]);

type ApproverGroup = keyof typeof groupTexts;

function groupOf({ eligible, role }: Pick<Candidate, "eligible" | "role">): ApproverGroup {
  if (!eligible) return "unable";
  return usual.has(role) ? "usual" : "others";
}

const order = ["usual", "others", "unable"] as const satisfies readonly ApproverGroup[];

/** Those who usually approve, everybody else, who can't decide about it; without empty groups. */
export function groupedCandidates(people: readonly Candidate[]): { group: ApproverGroup; members: Candidate[] }[] {
  return order
    .map((group) => ({ group, members: people.filter((person) => groupOf(person) === group) }))
    .filter(({ members }) => members.length > 0);
}
