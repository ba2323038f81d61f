/**
 * Hides the changes in rows about SOPs: all readers of the log see that an SOP changed, but only users who can read the
 * latest version see what changed.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadAllSops, visibleVersion } from "#core/permissions/can.ts";
import type { AuditDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";

export type ChangeHider = (rows: AuditDocument[]) => Promise<AuditDocument[]>;

/**
 * Creates a function that returns rows as this actor can see them: without the changes of SOPs whose latest version the
 * actor can't read.
 */
export function createChangeHider({ db }: Pick<Services, "db">, actor: Actor): ChangeHider {
  return async (rows) => {
    const ids = new Set(rows.flatMap((row) => (isOfSop(row) ? (row.entityId ?? []) : [])));
    if (ids.size === 0 || mayReadAllSops(actor)) return rows;
    const sops = await db
      .forCompany(actor.companyId)
      .collection("sops")
      .find({ _id: { $in: [...ids] } });
    // users who could read a deleted SOP still see its changes
    const readable = new Set(
      sops.filter((sop) => visibleVersion(actor, { ...sop, deletedAt: null }) === "latest").map(({ _id }) => _id),
    );
    return rows.map((row) => (isOfSop(row) && !readable.has(row.entityId ?? "") ? { ...row, changes: null } : row));
  };
}

const isOfSop = ({ entityType }: AuditDocument) => entityType === "sop";
