/** Steps that change one SOP. They are plain data; `server/sops` stores their result. */
import type { ApprovalOutcome } from "../approvals/rules.ts";
import { withGranteeIndex } from "../permissions/grantees.ts";
import type { EventApproval, Verb } from "../repository/event.ts";
import { listedFields, emptyValues, type SopSummary } from "../sop-fields.ts";
import type { StoredRequest, StoredReview, StoredSop, StoredVersion } from "./records.ts";

/** Verbs of steps that make no commit, because they change no text and no branch. The audit log records them. */
export const verbsWithoutCommit = [
  "request_approval",
  "approve",
  "reject",
  "request_changes",
  "withdraw",
  "replace_approver",
  "schedule",
  "lapse",
  "review",
] as const;
type VerbWithoutCommit = (typeof verbsWithoutCommit)[number];

/** Verbs of actions on an approval request. */
type ApprovalVerb = Exclude<VerbWithoutCommit, "schedule" | "lapse" | "review">;
type SopVerb = Exclude<Verb, "found" | "import" | "category" | "unreadable"> | Exclude<VerbWithoutCommit, ApprovalVerb>;

export type LifeCycleStep = StepFields &
  ({ verb: SopVerb; request?: never } | { verb: ApprovalVerb; request: ApprovalFacts });

interface StepFields {
  /** The state of the SOP after this step. */
  sop: StoredSop;
  /** The version this step adds, if any. */
  version?: StoredVersion;
  note?: string | null;
  /** The number of the version whose text the step restores. */
  restores?: number;
  /** Details for the audit log. */
  changes?: Record<string, unknown>;
  /** The number of the scheduled version whose day has come. */
  scheduled?: number;
  /** The approvals of the published version. */
  approvals?: readonly EventApproval[];
  /** True if the step itself ends the pending request. If absent, a step that removes a pending request cancels it. */
  resolves?: true;
  /** Effects, carried out in this order. */
  effects?: readonly StepEffect[];
}

/** Conditions of a step, and its writes to other records than the SOP, in the same transaction. */
export type StepEffect =
  /** Each of these users can still approve the SOP. Otherwise the change is a conflict. */
  | { kind: "can_approve"; userIds: readonly string[] }
  /** The user can still decide about the SOP. Otherwise the change is forbidden. */
  | { kind: "can_decide"; userId: string }
  | { kind: "add_request"; request: StoredRequest }
  /** Changes the request. Fails if it has changed since it was read. */
  | { kind: "change_request"; request: StoredRequest; change: Partial<StoredRequest> }
  | { kind: "add_review"; review: StoredReview };

/** The state of a request after the step. */
export interface ApprovalFacts {
  requestId: string;
  version: number;
  requestedBy: string;
  ownerId: string | null;
  approvers: readonly string[];
  /** Null while the request waits for further decisions. */
  outcome: ApprovalOutcome | null;
  /** The number of approvers that the request waits for. */
  left: number;
  replaced?: { from: string; to: string };
}

/** Computes the flags by which lists filter from the SOP's other fields. */
export function withDerivedFlags(sop: StoredSop): StoredSop {
  const exists = sop.deletedAt === null;
  const hasPublished = exists && sop.published !== null;
  const matchesPublished = hasPublished || (exists && sop.status === "published");
  const linkedAny = [...new Set([...(sop.linksTo ?? []), ...(sop.published?.linksTo ?? [])])];
  return { ...sop, live: exists && sop.status !== "archived", hasPublished, matchesPublished, linkedAny };
}

/**
 * Removes a pending request from the fields of the SOP, and keeps its status. The writer of SOPs then cancels the
 * request and notifies its approvers, unless the step `resolves` the request.
 */
export function withoutPendingRequest(sop: StoredSop): StoredSop {
  return sop.requestId === null ? sop : withGranteeIndex({ ...sop, requestId: null, approvers: [], waitingFor: [] });
}

/** Picks the summary fields of a larger record. Missing fields get their empty value. */
export function summaryFieldsOf(record: SopSummary): Required<SopSummary> {
  const values = listedFields.map(({ name, kind }) => [name, record[name] ?? emptyValues[kind]]);
  return Object.fromEntries(values) as Required<SopSummary>;
}
