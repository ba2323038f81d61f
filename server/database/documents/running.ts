/** Documents of the running system: counters, the audit log, events, jobs. */
import type { SopFacts } from "#core/permissions/actor.ts";
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
  /** Bytes of the texts of versions, proposals and comments, since they are counted. */
  textBytes?: number;
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

/** An SOP whose latest version has changed. */
export interface AboutSop {
  id: string;
  /** What readers see has changed, too. */
  readersSee: boolean;
  /** The facts before the change, for users who saw the SOP then. */
  was?: SopFacts;
}

/** An event for other browsers: ids only, never content. For the whole company unless it names who hears it. */
export interface EventDocument extends Tenant {
  seq: number;
  resources: string[];
  /** For users who see what has changed in one of these SOPs. */
  about?: AboutSop[];
  /** The version that a comment is on. Without it, the latest one. */
  version?: number;
  /** For these users, whatever they see. */
  to?: string[];
  /** For users who can change the company's settings, or who see all drafts. */
  alsoFor?: "settings" | "drafts";
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

export type RepoEventDocument = Omit<RepoEvent, "isAfterUnreadable">;
