/** Documents that an audit entry says were created. Nothing else names many of them. */
import { systemClock } from "#core/clock.ts";
import { isId } from "#core/ids.ts";
import type { AuditDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import { decidedProposalsKeptMs } from "../database/documents/proposals.ts";
import {
  fileReference,
  referencesTo,
  referenceTo,
  reviewReference,
  type Reading,
  type Reference,
} from "./reference.ts";

type Traces = Readonly<Record<string, (entry: AuditDocument) => Reference[]>>;

const traces: Traces = {
  "team.create": (entry) => deletableOf(entry, referencesTo("teams", entry.entityId), "team.delete"),
  // a company without SOPs gets other categories with another trade
  "category.create": (entry) =>
    deletableOf(
      entry,
      referencesTo("categories", entry.entityId),
      "company.update",
      null,
      ({ changes }) => changes === null || "categories" in changes,
    ),
  "proposal.create": (entry) => {
    const { _id, entityId, userId, changes } = entry;
    const decided = ["accept", "merge", "dismiss", "supersede", "create"].map((done) => `proposal.${done}`);
    const isSame = (other: AuditDocument) =>
      ["sopId", "path"].some((field) => changes?.[field] != null && other.changes?.[field] === changes[field]);
    // a later one of the same author takes its place
    const isDecided = (other: AuditDocument) =>
      other.entityId === entityId ? other._id !== _id : other.userId === userId && isSame(other);
    const isOld = ({ createdAt }: AuditDocument) =>
      systemClock.millis() - Date.parse(createdAt) >= decidedProposalsKeptMs;
    const isEnd = (other: AuditDocument) => isDecided(other) && isOld(other);
    return deletableOf(entry, referencesTo("proposals", entityId), { $in: decided }, null, isEnd);
  },
  "suggestion.create": ({ entityId }) => referencesTo("ai_suggestions", entityId),
  "sop.create": (entry) => [...referencesTo("sops", entry.entityId), ...sourceOf(entry)],
  "sop.save": sourceOf,
  "sop.request_approval": ({ changes }) => referencesTo("approval_requests", changedText(changes, "requestId")),
  "sop.review": ({ companyId, entityId, createdAt }) =>
    entityId === null ? [] : [reviewReference(companyId, entityId, createdAt)],
  "sop.comment": (entry) => {
    const id = changedText(entry.changes, "commentId");
    const isOfComment = ({ changes }: AuditDocument) => changes === null || changes["commentId"] === id;
    return deletableOf(entry, referencesTo("comments", id), "sop.comment_remove", entry.entityId, isOfComment);
  },
  "sop.acknowledge": ({ companyId, entityId: sopId, userId, changes }) => {
    const version = changes?.["version"];
    if (typeof version !== "number") return [];
    return [referenceTo("confirmation", { companyId, sopId, userId, version })];
  },
  "sop.acknowledgement_ask": (entry) => {
    const { companyId, entityId: sopId } = entry;
    const asks = [referenceTo("ask", { companyId, sopId })];
    // A request for confirmations ends with its last team.
    return deletableOf(entry, deletableOf(entry, asks, "sop.acknowledgement_end"), "team.delete", null);
  },
  "invitation.create": ({ companyId, entityId: key }) => [referenceTo("invitation", { companyId, key })],
  "token.create": tokenOf,
  "mirror.update": (entry) => deletableOf(entry, referencesTo("mirrors", entry.entityId), "mirror.remove"),
  "asset.upload": (entry) =>
    entry.entityId === null
      ? []
      : deletableOf(entry, [fileReference({ companyId: entry.companyId, sha256: entry.entityId })], "asset.sweep"),
};

export function referencesOfEntry(entry: AuditDocument): Reference[] {
  // the server's own user has another id
  const user = isId(entry.userId) ? referencesTo("users", entry.userId) : [];
  return [...user, ...(traces[entry.action]?.(entry) ?? [])];
}

/** A change of the user's password, role or status raises the version of its sessions and deletes its tokens. */
function tokenOf(entry: AuditDocument): Reference[] {
  const { companyId, userId, entityId: _id, changes } = entry;
  const sessionVersion = changes?.["sessionVersion"];
  const name = changedText(changes, "name");
  // an entry of an earlier version doesn't say it
  if (typeof sessionVersion !== "number" || name === null) return [];
  const isDeleted = async (db: Reading) => {
    const [user] = await db.collection("users").find({ _id: userId ?? "" }, { limit: 1 });
    return user?.sessionVersion !== sessionVersion;
  };
  const token = { ...referenceTo("token", { companyId, userId, _id, name }), isDeleted };
  return deletableOf(entry, deletableOf(entry, [token], "token.revoke"), "company.delete", companyId);
}

/** @param entityId of the entry that deletes; null: of any */
function deletableOf(
  { companyId, createdAt, entityId: own }: AuditDocument,
  all: readonly Reference[],
  action: string | { $in: string[] },
  entityId: string | null = own,
  isOf: (entry: AuditDocument) => boolean = () => true,
): Reference[] {
  const filter: Filter<AuditDocument> = { companyId, action, createdAt: { $gte: createdAt } };
  const isRecorded = async (db: Reading) =>
    (await db.collection("audit_logs").find({ ...filter, ...(entityId !== null && { entityId }) })).some(isOf);
  return all.map((one) => ({
    ...one,
    isDeleted: async (db) => (await one.isDeleted?.(db)) === true || (await isRecorded(db)),
  }));
}

function changedText(changes: AuditDocument["changes"], field: string): string | null {
  const value = changes?.[field];
  return typeof value === "string" ? value : null;
}

/**
 * An import remembers each file that it wrote, for good. Entries of earlier versions don't name the file. Then a later
 * import can have given the record of a deleted SOP to another one.
 */
function sourceOf({ _id, action, companyId, entityId: sopId, changes, createdAt }: AuditDocument): Reference[] {
  if (sopId === null || changedText(changes, "importId") === null) return [];
  const key = changedText(changes, "source");
  if (key !== null) return [referenceTo("source", { companyId, key })];
  if (action !== "sop.create") return [];
  const isDeleted = async (db: Reading) => {
    const [sop] = await db.collection("sops").find({ _id: sopId, deletedAt: null }, { limit: 1 });
    if (sop === undefined) return true;
    // ids begin with their time
    const $gte = idAt(timeOf(_id) - transactionMs);
    const $lt = idAt(timeOf(_id) + transactionMs);
    const made = await db.collection("sop_sources").find({ companyId, _id: { $gte, $lt } });
    const sops = await db.collection("sops").find({ _id: { $in: made.map((one) => one.sopId) } });
    return sops.some((one) => one.createdAt > createdAt);
  };
  return [{ ...referenceTo("unnamedSource", { companyId, sopId }), isDeleted }];
}

const transactionMs = 10 * 60_000;
const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
const idAt = (ms: number) =>
  ms
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-");
