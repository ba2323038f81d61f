/** Documents of the running system: counters, the audit log, events, jobs. */
import type { RepoEvent } from "#core/repository/event.ts";
import type { BaseDocument } from "../port.ts";
import type { Tenant } from "./parts.ts";

/**
 * One per company: sequences and counts, updated in the same transaction as the counted documents. `_id` is the
 * company's id.
 */
export interface CounterDocument extends Tenant {
  sopNumber: number;
  /** Start of a number → the last count given to an SOP. `SOP-` counts from `sopNumber` while absent. */
  counts?: Record<string, number>;
  repoSeq: number;
  /** The last number of a proposal; absent before the first one. */
  proposalNumber?: number;
  eventSeq: number;
  /** SOPs by the status of their latest version. Restricted and deleted ones aren't counted here. */
  byStatus: Record<string, number>;
  /** Published SOPs. Restricted and deleted ones aren't counted here. */
  published: number;
  /** category id (or `none`) → latest versions not archived · published */
  categories: Record<string, { live: number; published: number }>;
}

export interface AuditDocument extends Tenant {
  /** Until the chaining job has given it its place. */
  pending?: true;
  /** Its place in the chain; absent while pending, like the four below. */
  seq?: number;
  /** The chain covers SHA-256 over salt and payload: the payload can be erased without breaking it. */
  salt?: string;
  payloadDigest?: string;
  prevHash?: string;
  hash?: string;
  userId: string | null;
  userName: string | null;
  action: string;
  entityType: string;
  entityId: string | null;
  changes: Record<string, unknown> | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  createdAt: string;
}

/** A signed statement of how far a company's chain had come (`docs/spec/audit-log.md`). */
export interface CheckpointDocument extends Tenant {
  seq: number;
  head: string;
  at: string;
  prevCheckpointHash: string | null;
  kid: string;
  signature: string;
}

/** An event for other browsers: ids only, never content. */
export interface EventDocument extends Tenant {
  seq: number;
  resources: string[];
  sopId: string | null;
  /** The published version changed, not only a draft. The event can then name the SOP to readers. */
  readersSee?: boolean;
  /** For these users alone. */
  to?: string[];
  /** In addition to `to`: users who see all latest versions, or those of all published SOPs. */
  orHeads?: "all" | "published";
  at: string;
}

/** A tab with the edit screen of an SOP. `_id` = `<sop>:<user>:<tab>`; expires unless the tab renews it. */
export interface PresenceDocument extends Tenant {
  sopId: string;
  userId: string;
  tab: string;
  /** It ends with the session that announced it. */
  sessionId: string;
  since: string;
  expiresAt: string;
}

export interface OutboxDocument extends BaseDocument {
  companyId: string | null;
  kind: string;
  payload: Record<string, unknown>;
  state: "pending" | "done" | "failed";
  attempts: number;
  dueAt: string;
  lastError: string | null;
  createdAt: string;
}

/** A copy of a company's repository or search index, for servers that don't have it yet. */
export interface SnapshotDocument extends Tenant {
  kind: "repository" | "search";
  /** What can read it. */
  format: string;
  /** The last event of the ledger in it, and its id to recognize another ledger. */
  seq: number;
  eventId: string;
  /** The SHA-256 of each part. */
  parts: string[];
  isComplete: boolean;
  at: string;
}

/** `_id` is the snapshot's, with the number of the part. Absent where an S3 store has the bytes. */
export interface SnapshotPartDocument extends Tenant {
  bytes?: Uint8Array;
}

/** A lease with a fencing number. Its holder can have outside effects. `_id` names the job. */
export interface LeaseDocument extends BaseDocument {
  holder: string;
  fence: number;
  /** Its length; absent on leases of earlier versions. */
  ms?: number;
  /** On the database's clock. */
  until: string;
}

export interface IdempotencyDocument extends BaseDocument {
  userId: string;
  bodyHash: string;
  /** `committed`: the effect is stored, the answer is not; the server died in between. */
  state: "running" | "committed" | "done";
  entityId: string | null;
  status: number | null;
  body: string | null;
  expiresAt: string;
}

/** Things there is one of: the set-up link's hash, generated keys. `_id` names it. */
export interface SystemDocument extends BaseDocument {
  value: string;
  at: string;
}

export interface LimiterDocument extends BaseDocument {
  points: number;
  expiresAt: string;
}

export type RepoEventDocument = RepoEvent;
