/** The log tells everybody who reads it that something happened to an SOP; what the SOP says, only those who may read it. */
import type { Actor } from "#core/access/actor.ts";
import { passesRestrictions, seesAllHeads, visibleVersion } from "#core/access/can.ts";
import type { AuditDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";

export type Show = (rows: AuditDocument[]) => Promise<AuditDocument[]>;

/** Nothing of the company's SOPs is hidden from this actor. */
export function readsEverything(actor: Actor): boolean {
  return passesRestrictions(actor) && seesAllHeads(actor);
}

/** Rows as this actor may see them: without the changes of SOPs whose head is not for him. */
export function shownTo({ db }: Pick<Services, "db">, actor: Actor): Show {
  return async (rows) => {
    const ids = new Set(rows.flatMap((row) => (isOfSop(row) ? (row.entityId ?? []) : [])));
    if (ids.size === 0 || readsEverything(actor)) return rows;
    const sops = await db
      .forCompany(actor.companyId)
      .collection("sops")
      .find({ _id: { $in: [...ids] } }, { projection: { inForce: 0 } });
    // a deletion hides nothing from those who could read it before
    const readable = new Set(
      sops.filter((sop) => visibleVersion(actor, { ...sop, deletedAt: null }) === "head").map(({ _id }) => _id),
    );
    return rows.map((row) => (isOfSop(row) && !readable.has(row.entityId ?? "") ? { ...row, changes: null } : row));
  };
}

const isOfSop = ({ entityType }: AuditDocument) => entityType === "sop";
