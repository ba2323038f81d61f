import { roleLabel } from "#core/permissions/roles.ts";
import { recordedName } from "#core/audit/subject.ts";
import type { Output } from "../api.ts";
import { texts } from "./texts.ts";

export type AuditRow = Output<"audit", "list">["data"][number];

/** Returns the current name for an id; undefined if the user can't see the record or it is gone. */
export type NameOfId = (id: string) => string | undefined;

/** The actor: a person, an unknown user (after a failed sign-in) or the system. */
export function actorName({ userName, userId, action }: AuditRow): string {
  if (userName !== null) return userName;
  if (userId !== null) return userId;
  return action.startsWith("account.") || action.startsWith("access.") ? texts.noUser : texts.system;
}

/**
 * The name of the entry's record: from the server, from the current lists, or as the entry recorded it. For changes to
 * a role, the role. Undefined if no name is known.
 */
export function auditSubjectName(
  { entityType, entityId, entityName, changes }: AuditRow,
  nameOf: NameOfId,
): string | undefined {
  const role = changes?.["role"];
  const ofRole = typeof role === "string" ? roleLabel(role) : undefined;
  if (entityType === "company" && ofRole !== undefined) return ofRole;
  if (entityName !== null) return entityName;
  const known = entityId === null ? undefined : nameOf(entityId);
  if (known !== undefined && entityType !== "company") return known;
  if (entityType === "invitation" && ofRole !== undefined) return recordedName(changes) ?? ofRole;
  return recordedName(changes) ?? known;
}
