/** What a change does to an SOP: one step for each verb. Steps are data, and the writer of SOPs carries them out. */
import type { ApprovalOutcome } from "../approvals/rules.ts";
import { withGrantees } from "../permissions/grantees.ts";
import type { Approval, Verb } from "../repository/event.ts";
import { listedFields, noValues, type SopSummary } from "../sop-fields.ts";
import type { StoredRequest, StoredReview, StoredSop, StoredVersion } from "./records.ts";

/** They change no text and no branch: the audit log records them, the repository does not. */
export const auditedVerbs = [
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
type AuditedVerb = (typeof auditedVerbs)[number];

/** On a request for approval. */
type ApprovalVerb = Exclude<AuditedVerb, "schedule" | "lapse" | "review">;
type SopVerb = Exclude<Verb, "found" | "import" | "category" | "unreadable"> | Exclude<AuditedVerb, ApprovalVerb>;

export type Step = StepOf & ({ verb: SopVerb; request?: never } | { verb: ApprovalVerb; request: ApprovalFacts });

interface StepOf {
  /** The state this step leaves. */
  sop: StoredSop;
  /** The version this step adds, if any. */
  version?: StoredVersion;
  note?: string | null;
  restores?: number;
  changes?: Record<string, unknown>;
  /** The scheduled version whose day has come. */
  scheduled?: number;
  /** The approvals that publish it. */
  approvals?: readonly Approval[];
  /** It ends the pending request itself. Any other step that leaves a request behind cancels it. */
  resolves?: true;
  /** In this order. */
  effects?: readonly Effect[];
}

/** What a step asks and writes in its transaction beside the SOP. */
export type Effect =
  /** Each of these users can still approve the SOP. Otherwise the change is a conflict. */
  | { kind: "can_approve"; userIds: readonly string[] }
  /** The user can still decide about the SOP. Otherwise the change is forbidden. */
  | { kind: "can_decide"; userId: string }
  | { kind: "add_request"; request: StoredRequest }
  /** Fails if the request has changed since it was read. */
  | { kind: "change_request"; request: StoredRequest; change: Partial<StoredRequest> }
  | { kind: "add_review"; review: StoredReview };

/** A request as its event leaves it. */
export interface ApprovalFacts {
  requestId: string;
  version: number;
  requestedBy: string;
  ownerId: string | null;
  approvers: readonly string[];
  /** Null while it waits for others. */
  outcome: ApprovalOutcome | null;
  /** Approvers that it waits for. */
  left: number;
  replaced?: { from: string; to: string };
}

/** The flags that lists filter by, from the rest of the state. */
export function withDerivedFlags(sop: StoredSop): StoredSop {
  const exists = sop.deletedAt === null;
  const hasPublished = exists && sop.published !== null;
  const matchesPublished = hasPublished || (exists && sop.status === "published");
  const linkedAny = [...new Set([...(sop.linksTo ?? []), ...(sop.published?.linksTo ?? [])])];
  return { ...sop, live: exists && sop.status !== "archived", hasPublished, matchesPublished, linkedAny };
}

/** Leaving the state ends a pending request. The writer of SOPs cancels it and notifies its approvers. */
export function leaveReview(sop: StoredSop): StoredSop {
  return sop.requestId === null ? sop : withGrantees({ ...sop, requestId: null, approvers: [], waitingFor: [] });
}

/** The summary in a record that has more. */
export function summaryIn(record: SopSummary): Required<SopSummary> {
  const values = listedFields.map(({ name, kind }) => [name, record[name] ?? noValues[kind]]);
  return Object.fromEntries(values) as Required<SopSummary>;
}
