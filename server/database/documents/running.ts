/** Defines documents of the running server: counters, the audit log, events, jobs. */
import type { SopFacts } from "#core/permissions/actor.ts";
import type { RepoEvent } from "#core/repository/event.ts";
import type { BaseDocument } from "../port.ts";
import type { Tenant, StoredCollections } from "./parts.ts";
import { categoryEntryCheck, companyId, repositoryItemCheck, maybeText } from "../shape-parts.ts";
import { arrayCheck, fieldsCheck, numberCheck, objectCheck, optionalCheck, stringCheck, timeCheck } from "../shape.ts";

/**
 * The sequences and counts of a company. The transaction that writes the counted documents also updates them. `_id` is
 * the company's id.
 */
export interface CounterDocument extends Tenant {
  sopNumber: number;
  /**
   * The start of an SOP number, such as `HR-` → the last count with that start. While absent, `SOP-` counts from
   * `sopNumber`.
   */
  counts?: Record<string, number>;
  repoSeq: number;
  /** The number of the last proposal; absent before the first one. */
  proposalNumber?: number;
  eventSeq: number;
  /** Bytes of the texts of versions, proposals and comments. Absent until they are counted. */
  textBytes?: number;
  /** The number of SOPs by the status of their latest version, without restricted and deleted SOPs. */
  byStatus: Record<string, number>;
  /** The number of published SOPs, without restricted and deleted SOPs. */
  published: number;
  /** By a category's id (or `none`): the number of its SOPs that aren't archived, and of its published SOPs. */
  categories: Record<string, { live: number; published: number }>;
}

export interface AuditDocument extends Tenant {
  /** Present until the chaining job adds the entry to the chain. */
  pending?: true;
  /**
   * The position in the chain. A pending entry has neither this field nor `salt`, `payloadDigest`, `prevHash` and
   * `hash`.
   */
  seq?: number;
  /** The chain covers the SHA-256 of salt and payload, so both can be erased without breaking the chain. */
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

/** A signed statement of the length of a company's chain at that time (`docs/spec/audit-log.md`). */
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
  /** True if the text that readers see has changed too. */
  readersSee: boolean;
  /**
   * The facts before the change, by which users who could see the SOP then get the event too. Absent if they are equal
   * to the present facts.
   */
  was?: SopFacts;
}

/** An event for browsers: only ids, never content. It is for the whole company unless a field limits the users. */
export interface EventDocument extends Tenant {
  seq: number;
  resources: string[];
  /** Limits the event to users who can see the change of one of these SOPs. */
  about?: AboutSop[];
  /** The version that the comment in the event is on; absent: the latest version. */
  version?: number;
  /** Limits the event to these users, even if they can't see the SOP. */
  to?: string[];
  /** Adds users who can change the company's settings, or who can see all drafts. Absent if the event adds no users. */
  alsoFor?: "settings" | "drafts";
  at: string;
}

/**
 * A browser tab in which a user edits an SOP. `_id` = `<sop>:<user>:<tab>`. The document expires unless the tab renews
 * it.
 */
export interface PresenceDocument extends Tenant {
  sopId: string;
  userId: string;
  tab: string;
  /** The session of the tab. When it ends, the tab is removed. */
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

/** A copy of a company's repository or search index, for servers that don't have it on disk. */
export interface SnapshotDocument extends Tenant {
  kind: "repository" | "search";
  /** The name of the format, so that servers ignore a snapshot in a format that they don't know. */
  format: string;
  /**
   * The number of the last event in the snapshot. `eventId` is the id of that event, by which a snapshot of another
   * ledger is recognized.
   */
  seq: number;
  eventId: string;
  /** The SHA-256 of each part of the snapshot. */
  parts: string[];
  isComplete: boolean;
  at: string;
}

/**
 * A part of a snapshot. `_id` is the snapshot's id with the number of the part. `bytes` is absent if an S3 store has
 * them.
 */
export interface SnapshotPartDocument extends Tenant {
  bytes?: Uint8Array;
}

/** A lease with a fencing number, which allows one server to do a job. `_id` names the job. */
export interface LeaseDocument extends BaseDocument {
  holder: string;
  fence: number;
  /** The duration in milliseconds; absent on leases of earlier versions. */
  ms?: number;
  /** The end of the lease by the database's clock. */
  until: string;
}

export interface IdempotencyDocument extends BaseDocument {
  userId: string;
  bodyHash: string;
  /** `committed`: the effect is stored but not the answer, because the server stopped in between. */
  state: "running" | "committed" | "done";
  entityId: string | null;
  status: number | null;
  body: string | null;
  expiresAt: string;
}

/** A single value of the installation, such as the hash of the set-up link. `_id` names the value. */
export interface SystemDocument extends BaseDocument {
  value: string;
  at: string;
}

export interface LimiterDocument extends BaseDocument {
  points: number;
  expiresAt: string;
}

export type RepoEventDocument = Omit<RepoEvent, "isAfterUnreadable">;

export interface RunningCollections {
  snapshots: SnapshotDocument;
  snapshot_parts: SnapshotPartDocument;
  counters: CounterDocument;
  audit_logs: AuditDocument;
  audit_checkpoints: CheckpointDocument;
  repo_events: RepoEventDocument;
  events: EventDocument;
  presences: PresenceDocument;
  outbox: OutboxDocument;
  leases: LeaseDocument;
  idempotency: IdempotencyDocument;
  limiters: LimiterDocument;
  system: SystemDocument;
}

/** Milliseconds that events are kept. A browser that was away longer refreshes everything. */
export const eventsKeptMs = 24 * 3_600_000;

export const runningCollections: StoredCollections<RunningCollections> = {
  snapshots: {
    tenant: true,
    indexes: [{ name: "newest", keys: { companyId: 1, kind: 1, seq: -1 } }],
    inBackups: false,
    ifLost: "it is made again",
  },
  snapshot_parts: { tenant: true, binary: "bytes", indexes: [], inBackups: false, ifLost: "it is made again" },
  counters: {
    tenant: true,
    indexes: [],
    shape: {
      companyId,
      sopNumber: numberCheck,
      counts: optionalCheck(objectCheck),
      repoSeq: numberCheck,
      proposalNumber: optionalCheck(numberCheck),
      eventSeq: numberCheck,
      textBytes: optionalCheck(numberCheck),
      byStatus: objectCheck,
      published: numberCheck,
      categories: objectCheck,
    },
  },
  audit_logs: {
    tenant: true,
    indexes: [
      { name: "seq", keys: { companyId: 1, seq: 1 }, unique: true, partial: { seq: { $exists: true } } },
      { name: "waiting", keys: { pending: 1, companyId: 1, _id: 1 }, partial: { pending: true } },
      { name: "time", keys: { companyId: 1, createdAt: -1, _id: -1 } },
      { name: "entity_time", keys: { companyId: 1, entityId: 1, createdAt: -1, _id: -1 } },
      { name: "user_time", keys: { companyId: 1, userId: 1, createdAt: -1, _id: -1 } },
      { name: "action_time", keys: { companyId: 1, action: 1, createdAt: -1, _id: -1 } },
    ],
  },
  audit_checkpoints: { tenant: true, indexes: [{ name: "seq", keys: { companyId: 1, seq: -1 }, unique: true }] },
  repo_events: {
    tenant: true,
    indexes: [
      { name: "seq", keys: { companyId: 1, seq: 1 }, unique: true },
      { name: "pending", keys: { state: 1, companyId: 1, seq: 1 } },
    ],
    shape: {
      companyId,
      seq: numberCheck,
      formatVersion: numberCheck,
      type: stringCheck,
      at: timeCheck,
      authorId: stringCheck,
      authorName: stringCheck,
      requestId: optionalCheck(stringCheck),
      importId: optionalCheck(stringCheck),
      note: optionalCheck(stringCheck),
      aiModel: optionalCheck(stringCheck),
      restores: optionalCheck(numberCheck),
      coAuthors: optionalCheck(arrayCheck(fieldsCheck({ userId: stringCheck, name: stringCheck }))),
      approvals: optionalCheck(arrayCheck(fieldsCheck({ userId: stringCheck, name: stringCheck, at: timeCheck }))),
      items: arrayCheck(repositoryItemCheck),
      categories: optionalCheck(arrayCheck(categoryEntryCheck)),
      company: optionalCheck(fieldsCheck({ name: stringCheck, epoch: numberCheck })),
      state: stringCheck,
      oids: fieldsCheck({ main: maybeText, history: maybeText }),
    },
  },
  events: {
    tenant: true,
    indexes: [
      { name: "seq", keys: { companyId: 1, seq: 1 }, unique: true },
      { name: "age", keys: { at: 1 } },
    ],
    swept: { by: "at", afterMs: eventsKeptMs },
    ifLost: "browsers load everything again",
  },
  presences: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, since: 1 } },
      { name: "user", keys: { companyId: 1, userId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
    inBackups: false,
    ifLost: "it expires",
  },
  outbox: {
    tenant: false,
    indexes: [{ name: "due", keys: { state: 1, dueAt: 1 } }],
    ifLost: "an email that isn't sent",
  },
  leases: { tenant: false, indexes: [], inBackups: false, ifLost: "it expires" },
  idempotency: {
    tenant: false,
    indexes: [{ name: "expiry", keys: { expiresAt: 1 } }],
    swept: { by: "expiresAt", afterMs: 0 },
    inBackups: false,
    ifLost: "it expires",
  },
  limiters: {
    tenant: false,
    indexes: [{ name: "expiry", keys: { expiresAt: 1 } }],
    swept: { by: "expiresAt", afterMs: 0 },
    inBackups: false,
    ifLost: "it expires",
    shape: { points: numberCheck, expiresAt: timeCheck },
  },
  system: {
    tenant: false,
    indexes: [],
    ifLost: "a start makes most of its entries again",
    shape: { value: stringCheck, at: timeCheck },
  },
};
