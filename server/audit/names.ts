/** Finds the names of the records that audit rows are about: in the present records, or else in the row. */
import type { Actor } from "#core/permissions/actor.ts";
import { visibleVersion } from "#core/permissions/can.ts";
import { recordedName } from "#core/audit/subject.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { CompanyStore } from "../database/port.ts";
import type { Services } from "../http/services.ts";

export type EntityNameLookup = (row: AuditDocument) => string | null;

/** The kinds of records by the names in rows. Rows of refusals use the group of the call: `users`, not `user`. */
const kinds: Readonly<Record<string, "sops" | "users" | "teams" | "categories" | "tokens" | "companies">> = {
  sop: "sops",
  sops: "sops",
  user: "users",
  users: "users",
  team: "teams",
  teams: "teams",
  category: "categories",
  categories: "categories",
  token: "tokens",
  tokens: "tokens",
  company: "companies",
  companies: "companies",
};

/**
 * Loads the names for these rows.
 * @param actor null to load no titles of SOPs; otherwise only titles that the actor can read
 * @returns a function that returns the name for one of the rows; null for an unknown or erased name
 */
export async function loadEntityNameLookup(
  { db }: Pick<Services, "db">,
  companyId: string,
  actor: Actor | null,
  rows: readonly AuditDocument[],
): Promise<EntityNameLookup> {
  const store = db.forCompany(companyId);
  const idsOf = (kind: string) => [
    ...new Set(rows.flatMap(({ entityType, entityId }) => (kinds[entityType] === kind && entityId ? [entityId] : []))),
  ];
  const found = await Promise.all([
    actor ? loadTitlesVisibleInAudit(store, actor, idsOf("sops")) : [],
    ...(["users", "teams", "categories", "tokens"] as const).map(async (kind) => {
      const ids = idsOf(kind);
      if (ids.length === 0) return [];
      return store.collection(kind).find({ _id: { $in: ids } }, { projection: { name: 1 } });
    }),
    idsOf("companies").includes(companyId)
      ? db.collection("companies").find({ _id: companyId }, { projection: { name: 1 } })
      : [],
  ]);
  const names = new Map(found.flat().map(({ _id, name }) => [_id, name]));
  return (row) => {
    if (isEntryErased(row)) return null;
    const today = names.get(row.entityId ?? "");
    return today ?? recordedName(row.changes) ?? null;
  };
}

async function loadTitlesVisibleInAudit(store: CompanyStore<Collections>, actor: Actor, ids: string[]) {
  if (ids.length === 0) return [];
  const sops = await store.collection("sops").find({ _id: { $in: ids } });
  // users who could read a deleted SOP still see its title
  return sops
    .filter((sop) => visibleVersion(actor, { ...sop, deletedAt: null }) === "latest")
    .map(({ _id, title }) => ({ _id, name: title }));
}

/** Says whether the row's personal data was erased. The row must then not show a name from today's records. */
const isEntryErased = ({ seq, salt }: AuditDocument): boolean => seq !== undefined && salt === undefined;
