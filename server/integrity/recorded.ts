/**
 * Returns references to the documents that an audit entry says were created. Many of these documents aren't named
 * anywhere else.
 */
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
  type CollectionSource,
  type Reference,
} from "./reference.ts";

type ReferencesByAction = Readonly<Record<string, (entry: AuditDocument) => Reference[]>>;

const referencesByAction: ReferencesByAction = {
  "team.create": (entry) => referencesUntilDeleted(entry, referencesTo("teams", entry.entityId), "team.delete"),
  // a company without SOPs gets other categories when its trade changes
  "category.create": (entry) =>
    referencesUntilDeleted(
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
    // a later proposal by the same author for the same SOP replaces this one
    const isDecided = (other: AuditDocument) =>
      other.entityId === entityId ? other._id !== _id : other.userId === userId && isSame(other);
    const isOld = ({ createdAt }: AuditDocument) =>
      systemClock.millis() - Date.parse(createdAt) >= decidedProposalsKeptMs;
    const isEnd = (other: AuditDocument) => isDecided(other) && isOld(other);
    return referencesUntilDeleted(entry, referencesTo("proposals", entityId), { $in: decided }, null, isEnd);
  },
  "suggestion.create": ({ entityId }) => referencesTo("ai_suggestions", entityId),
  "sop.create": (entry) => [...referencesTo("sops", entry.entityId), ...importSourceReferences(entry)],
  "sop.save": importSourceReferences,
  "sop.request_approval": ({ changes }) => referencesTo("approval_requests", textInChanges(changes, "requestId")),
  "sop.review": ({ companyId, entityId, createdAt }) =>
    entityId === null ? [] : [reviewReference(companyId, entityId, createdAt)],
  "sop.comment": (entry) => {
    const id = textInChanges(entry.changes, "commentId");
    const isOfComment = ({ changes }: AuditDocument) => changes === null || changes["commentId"] === id;
    return referencesUntilDeleted(
      entry,
      referencesTo("comments", id),
      "sop.comment_remove",
      entry.entityId,
      isOfComment,
    );
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
    return referencesUntilDeleted(
      entry,
      referencesUntilDeleted(entry, asks, "sop.acknowledgement_end"),
      "team.delete",
      null,
    );
  },
  "invitation.create": ({ companyId, entityId: key }) => [referenceTo("invitation", { companyId, key })],
  "token.create": tokenReferences,
  "mirror.update": (entry) => referencesUntilDeleted(entry, referencesTo("mirrors", entry.entityId), "mirror.remove"),
  "asset.upload": (entry) =>
    entry.entityId === null
      ? []
      : referencesUntilDeleted(
          entry,
          [fileReference({ companyId: entry.companyId, sha256: entry.entityId })],
          "asset.sweep",
        ),
};

export function referencesOfAuditEntry(entry: AuditDocument): Reference[] {
  // entries of the server itself have a user id of another form
  const user = isId(entry.userId) ? referencesTo("users", entry.userId) : [];
  return [...user, ...(referencesByAction[entry.action]?.(entry) ?? [])];
}

/**
 * Returns the reference to the token that the entry created. The token counts as deleted after a change of the user's
 * password, role or status, which raises the session version.
 */
function tokenReferences(entry: AuditDocument): Reference[] {
  const { companyId, userId, entityId: _id, changes } = entry;
  const sessionVersion = changes?.["sessionVersion"];
  const name = textInChanges(changes, "name");
  // entries written by earlier versions of the server lack the session version
  if (typeof sessionVersion !== "number" || name === null) return [];
  const isDeleted = async (db: CollectionSource) => {
    const [user] = await db.collection("users").find({ _id: userId ?? "" }, { limit: 1 });
    return user?.sessionVersion !== sessionVersion;
  };
  const token = { ...referenceTo("token", { companyId, userId, _id, name }), isDeleted };
  return referencesUntilDeleted(
    entry,
    referencesUntilDeleted(entry, [token], "token.revoke"),
    "company.delete",
    companyId,
  );
}

/**
 * Returns the references with a check that counts them as deleted once a later audit entry with this action exists.
 * @param entityId the entity of that entry; null: any entity
 */
function referencesUntilDeleted(
  { companyId, createdAt, entityId: own }: AuditDocument,
  all: readonly Reference[],
  action: string | { $in: string[] },
  entityId: string | null = own,
  isOf: (entry: AuditDocument) => boolean = () => true,
): Reference[] {
  const filter: Filter<AuditDocument> = { companyId, action, createdAt: { $gte: createdAt } };
  const isRecorded = async (db: CollectionSource) =>
    (await db.collection("audit_logs").find({ ...filter, ...(entityId !== null && { entityId }) })).some(isOf);
  return all.map((one) => ({
    ...one,
    isDeleted: async (db) => (await one.isDeleted?.(db)) === true || (await isRecorded(db)),
  }));
}

function textInChanges(changes: AuditDocument["changes"], field: string): string | null {
  const value = changes?.[field];
  return typeof value === "string" ? value : null;
}

/**
 * Returns the reference to the record that an import keeps for the file of an SOP. Entries by earlier versions of the
 * server don't name the file. For them, a later import can have given the record of a deleted SOP to another SOP.
 */
function importSourceReferences({
  _id,
  action,
  companyId,
  entityId: sopId,
  changes,
  createdAt,
}: AuditDocument): Reference[] {
  if (sopId === null || textInChanges(changes, "importId") === null) return [];
  const key = textInChanges(changes, "source");
  if (key !== null) return [referenceTo("source", { companyId, key })];
  if (action !== "sop.create") return [];
  const isDeleted = async (db: CollectionSource) => {
    const [sop] = await db.collection("sops").find({ _id: sopId, deletedAt: null }, { limit: 1 });
    if (sop === undefined) return true;
    // ids begin with their creation time
    const $gte = lowestIdAt(creationTimeOf(_id) - transactionMs);
    const $lt = lowestIdAt(creationTimeOf(_id) + transactionMs);
    const made = await db.collection("sop_sources").find({ companyId, _id: { $gte, $lt } });
    const sops = await db.collection("sops").find({ _id: { $in: made.map((one) => one.sopId) } });
    return sops.some((one) => one.createdAt > createdAt);
  };
  return [{ ...referenceTo("unnamedSource", { companyId, sopId }), isDeleted }];
}

const transactionMs = 10 * 60_000;
const creationTimeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
const lowestIdAt = (ms: number) =>
  ms
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-");
