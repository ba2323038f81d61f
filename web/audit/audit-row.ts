import { roleLabel } from "#core/access/roles.ts";
import type { Output } from "../api.ts";
import { texts } from "./texts.ts";

export type AuditRow = Output<"audit", "list">["data"][number];

/** Today's name of what an id stands for. */
export type NameOf = (id: string) => string | undefined;

/** Who did it: a person, nobody yet (a failed sign-in), or the system itself. */
export function whoOf({ userName, userId, action }: AuditRow): string {
  if (userName !== null) return userName;
  if (userId !== null) return userId;
  return action.startsWith("account.") || action.startsWith("access.") ? texts.nobody : texts.system;
}

/** The record's name: as it is known today, or as the row itself tells it. */
export function subjectOf({ entityType, entityId, entityName, changes }: AuditRow, nameOf: NameOf): string | undefined {
  if (entityName !== null) return entityName;
  const known = entityId === null ? undefined : nameOf(entityId);
  if (known !== undefined && entityType !== "company") return known;
  const role = changes?.["role"];
  if ((entityType === "company" || entityType === "invitation") && typeof role === "string") return roleLabel(role);
  for (const field of ["title", "name", "username", "email"]) {
    const value = changes?.[field];
    const told = typeof value === "object" && value !== null && "to" in value ? value.to : value;
    if (typeof told === "string" && told !== "") return told;
  }
  return known;
}
