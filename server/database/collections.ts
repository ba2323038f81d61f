/** The collections and their indexes, the same for both engines. An index serves every query that a screen needs. */
import type { Collections } from "./documents.ts";
import type { Declarations } from "./port.ts";
import { shapes } from "./shapes.ts";

const plain: Declarations<Collections> = {
  companies: {
    tenant: false,
    indexes: [
      { name: "slug", keys: { slug: 1 }, unique: true },
      { name: "by_name", keys: { nameKey: 1, _id: 1 } },
      { name: "status_name", keys: { status: 1, nameKey: 1, _id: 1 } },
      { name: "words", keys: { words: 1 }, array: "words" },
    ],
  },
  users: {
    tenant: true,
    indexes: [
      { name: "username", keys: { username: 1 }, unique: true },
      { name: "company", keys: { companyId: 1, status: 1, name: 1 } },
      { name: "role", keys: { role: 1, status: 1 } },
      { name: "email", keys: { email: 1 } },
      { name: "by_name", keys: { nameKey: 1, _id: 1 } },
      { name: "status_name", keys: { status: 1, nameKey: 1, _id: 1 } },
      { name: "company_name", keys: { companyId: 1, nameKey: 1, _id: 1 } },
      { name: "company_status_name", keys: { companyId: 1, status: 1, nameKey: 1, _id: 1 } },
      { name: "company_role", keys: { companyId: 1, role: 1, status: 1 } },
      { name: "company_avatar", keys: { companyId: 1, avatar: 1 } },
      { name: "rights_end", keys: { rightsEndAt: 1 }, partial: { rightsEndAt: { $gt: "" } } },
      { name: "words", keys: { words: 1 }, array: "words" },
      { name: "company_words", keys: { companyId: 1, words: 1 }, array: "words" },
      { name: "company_looks", keys: { companyId: 1, looks: 1 }, array: "looks" },
    ],
  },
  sessions: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, createdAt: 1 } },
      { name: "company", keys: { companyId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
  },
  tokens: {
    tenant: true,
    indexes: [
      { name: "hash", keys: { hash: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: 1 } },
    ],
  },
  categories: {
    tenant: true,
    indexes: [
      { name: "slug", keys: { companyId: 1, slug: 1 }, unique: true },
      { name: "order", keys: { companyId: 1, order: 1 } },
    ],
  },
  teams: { tenant: true, indexes: [{ name: "slug", keys: { companyId: 1, slug: 1 }, unique: true }] },
  team_members: {
    tenant: true,
    indexes: [
      { name: "member", keys: { companyId: 1, teamId: 1, userId: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1 } },
    ],
  },
  sops: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, number: 1 }, unique: true },
      { name: "label", keys: { companyId: 1, labelKey: 1 }, unique: true, partial: { labelKey: { $exists: true } } },
      { name: "title", keys: { companyId: 1, title: 1 } },
      { name: "live", keys: { companyId: 1, live: 1, updatedAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, deletedAt: 1, status: 1, updatedAt: -1, _id: -1 } },
      { name: "category", keys: { companyId: 1, live: 1, categoryId: 1, updatedAt: -1, _id: -1 } },
      { name: "author", keys: { companyId: 1, authorId: 1, updatedAt: -1, _id: -1 } },
      { name: "owner", keys: { companyId: 1, ownerId: 1, updatedAt: -1, _id: -1 } },
      { name: "team", keys: { companyId: 1, teamId: 1, updatedAt: -1, _id: -1 } },
      { name: "matches_published", keys: { companyId: 1, matchesPublished: 1, updatedAt: -1, _id: -1 } },
      { name: "scheduled", keys: { "scheduled.effectiveAt": 1 }, partial: { "scheduled.effectiveAt": { $gt: "" } } },
      {
        name: "published_review_due",
        keys: { "published.reviewBy": 1 },
        partial: { "published.reviewBy": { $gt: "" } },
      },
      { name: "published_review", keys: { companyId: 1, hasPublished: 1, "published.reviewBy": 1 } },
      { name: "published_by_time", keys: { companyId: 1, hasPublished: 1, "published.updatedAt": -1, _id: -1 } },
      {
        name: "published_in_category",
        keys: { companyId: 1, hasPublished: 1, "published.categoryId": 1, "published.updatedAt": -1, _id: -1 },
      },
      { name: "template", keys: { companyId: 1, live: 1, isTemplate: 1, updatedAt: -1, _id: -1 } },
      {
        name: "published_template",
        keys: { companyId: 1, hasPublished: 1, "published.isTemplate": 1, "published.updatedAt": -1, _id: -1 },
      },
      { name: "restricted", keys: { companyId: 1, restricted: 1 } },
      { name: "grantees", keys: { companyId: 1, grantees: 1 }, array: "grantees" },
      { name: "linked", keys: { companyId: 1, linkedAny: 1 }, array: "linkedAny" },
      { name: "trash", keys: { deletedAt: 1 }, partial: { deletedAt: { $gt: "" } } },
    ],
  },
  sop_versions: {
    tenant: true,
    indexes: [
      { name: "version", keys: { companyId: 1, sopId: 1, version: -1 }, unique: true },
      { name: "text", keys: { companyId: 1, textMarks: 1 }, array: "textMarks" },
      { name: "assets", keys: { companyId: 1, assets: 1 }, array: "assets" },
    ],
  },
  sop_sources: {
    tenant: true,
    indexes: [
      { name: "key", keys: { companyId: 1, key: 1 }, unique: true },
      { name: "content", keys: { companyId: 1, sha256: 1 } },
      { name: "path", keys: { companyId: 1, path: 1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1 } },
    ],
  },
  reserved_numbers: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, labelKey: 1 }, unique: true },
      { name: "key", keys: { companyId: 1, key: 1 } },
    ],
  },
  sop_uses: {
    tenant: true,
    indexes: [
      { name: "favorite", keys: { companyId: 1, userId: 1, favorite: 1, sopId: 1 } },
      { name: "by_time", keys: { companyId: 1, userId: 1, recentAt: 1, sopId: 1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1 } },
    ],
  },
  published_periods: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, from: -1 } },
      { name: "open", keys: { companyId: 1, sopId: 1, until: 1 } },
      { name: "by_time", keys: { companyId: 1, from: 1 } },
    ],
  },
  approval_requests: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, createdAt: -1, _id: -1 } },
      { name: "waiting", keys: { companyId: 1, waitingFor: 1 }, array: "waitingFor" },
      { name: "requester", keys: { companyId: 1, requestedBy: 1, status: 1, createdAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, status: 1, createdAt: -1, _id: -1 } },
    ],
  },
  reviews: {
    tenant: true,
    indexes: [{ name: "sop", keys: { companyId: 1, sopId: 1, createdAt: -1, _id: -1 } }],
  },
  deadline_marks: { tenant: true, indexes: [{ name: "age", keys: { at: 1 } }] },
  comments: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, createdAt: 1, _id: 1 } },
      { name: "thread", keys: { companyId: 1, parentId: 1, createdAt: 1, _id: 1 } },
    ],
  },
  acknowledgement_asks: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1 }, unique: true },
      { name: "audience", keys: { companyId: 1, audience: 1 }, array: "audience" },
      { name: "age", keys: { createdAt: 1 } },
    ],
  },
  acknowledgements: {
    tenant: true,
    indexes: [
      { name: "once", keys: { companyId: 1, sopId: 1, userId: 1, version: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1, sopId: 1 } },
    ],
  },
  notifications: {
    tenant: true,
    indexes: [
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: -1, _id: -1 } },
      { name: "unread", keys: { companyId: 1, userId: 1, readAt: 1 } },
      { name: "age", keys: { createdAt: 1 } },
    ],
  },
  ai_calls: {
    tenant: true,
    indexes: [
      { name: "user_time", keys: { companyId: 1, userId: 1, at: 1 } },
      { name: "age", keys: { at: 1 } },
    ],
  },
  ai_meters: { tenant: true, indexes: [] },
  proposals: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, number: -1 }, unique: true },
      { name: "state", keys: { companyId: 1, state: 1, number: -1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1, number: -1 } },
      { name: "author", keys: { companyId: 1, authorId: 1, number: -1 } },
      { name: "author_state", keys: { companyId: 1, authorId: 1, state: 1, number: -1 } },
      { name: "assets", keys: { companyId: 1, assets: 1 }, array: "assets" },
      { name: "age", keys: { decidedAt: 1 }, partial: { decidedAt: { $gt: "" } } },
    ],
  },
  ai_suggestions: {
    tenant: true,
    indexes: [
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, userId: 1, status: 1, createdAt: -1, _id: -1 } },
      { name: "key", keys: { companyId: 1, userId: 1, key: 1 }, unique: true },
    ],
  },
  missed_searches: {
    tenant: true,
    indexes: [
      { name: "last", keys: { companyId: 1, lastAt: 1 } },
      { name: "age", keys: { lastAt: 1 } },
    ],
  },
  assets: {
    tenant: true,
    binary: "bytes",
    indexes: [
      { name: "content", keys: { companyId: 1, sha256: 1 }, unique: true },
      { name: "uploader", keys: { companyId: 1, uploadedBy: 1 } },
      { name: "unlinked", keys: { linkedAt: 1, _id: 1 } },
    ],
  },
  snapshots: { tenant: true, indexes: [{ name: "newest", keys: { companyId: 1, kind: 1, seq: -1 } }] },
  snapshot_parts: { tenant: true, binary: "bytes", indexes: [] },
  counters: { tenant: true, indexes: [] },
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
  audit_checkpoints: {
    tenant: true,
    indexes: [{ name: "seq", keys: { companyId: 1, seq: -1 }, unique: true }],
  },
  email_confirmations: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
  },
  password_resets: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, createdAt: -1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
  },
  invitations: {
    tenant: true,
    indexes: [
      { name: "recent", keys: { companyId: 1, createdAt: -1, key: -1 } },
      { name: "key", keys: { companyId: 1, key: 1 }, unique: true },
    ],
  },
  known_devices: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, lastUsedAt: -1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
  },
  repo_events: {
    tenant: true,
    indexes: [
      { name: "seq", keys: { companyId: 1, seq: 1 }, unique: true },
      { name: "pending", keys: { state: 1, companyId: 1, seq: 1 } },
    ],
  },
  mirrors: { tenant: true, indexes: [] },
  events: {
    tenant: true,
    indexes: [
      { name: "seq", keys: { companyId: 1, seq: 1 }, unique: true },
      { name: "age", keys: { at: 1 } },
    ],
  },
  presences: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, since: 1 } },
      { name: "user", keys: { companyId: 1, userId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
  },
  outbox: { tenant: false, indexes: [{ name: "due", keys: { state: 1, dueAt: 1 } }] },
  leases: { tenant: false, indexes: [] },
  idempotency: { tenant: false, indexes: [{ name: "expiry", keys: { expiresAt: 1 } }] },
  limiters: { tenant: false, indexes: [{ name: "expiry", keys: { expiresAt: 1 } }] },
  system: { tenant: false, indexes: [] },
};

/**
 * Declarations without shapes, so that no document is refused: for data of an earlier version, and to restore a backup.
 */
export const shapelessDeclarations: typeof plain = plain;

export const declarations = Object.fromEntries(
  Object.entries(plain).map(([name, one]) => [name, name in shapes ? { ...one, shape: shapes[name] } : one]),
) as typeof plain;
