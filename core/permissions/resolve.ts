import type { CompanySettings } from "../companies/settings.ts";
import type { PermittedAction } from "./actions.ts";
import type { Actor, UserPermission } from "./actor.ts";
import type { Role } from "./roles.ts";

/** The stored facts from which an actor is made. */
export interface ActorSource {
  userId: string;
  companyId: string;
  role: Role;
  teamIds: readonly string[];
  permissions: readonly UserPermission[];
}

/**
 * The user's permissions at one moment: the company's changes to the role, and the user's own permissions without
 * expired ones. A denial wins over every permission. @param now ISO time
 */
export function resolveActor(
  { permissions, ...who }: ActorSource,
  { roleOverrides }: Pick<CompanySettings, "roleOverrides">,
  now: string,
): Actor {
  const unexpired = permissions.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const userPermissions = (granted: boolean) =>
    unexpired.filter((one) => one.granted === granted).map(({ permission }) => permission);
  const rolePermissions = (granted: boolean) =>
    (Object.entries(roleOverrides[who.role] ?? {}) as [PermittedAction, boolean][])
      .filter(([, value]) => value === granted)
      .map(([action]) => action);
  const refused = new Set(userPermissions(false));
  const given = new Set([...rolePermissions(true), ...userPermissions(true)]);
  // a permission of the user wins over a denial for the role, but not over a denial for the user
  const deny = new Set([...rolePermissions(false).filter((action) => !given.has(action)), ...refused]);
  return { ...who, allow: [...given].filter((action) => !refused.has(action)), deny: [...deny] };
}
