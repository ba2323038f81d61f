import type { PermittedAction } from "./actions.ts";
import type { Role } from "./roles.ts";

/** The signed-in user, with the facts that every access decision needs. Created by `resolveActor`. */
export interface Actor {
  userId: string;
  companyId: string;
  role: Role;
  teamIds: readonly string[];
  /** Permissions beyond the role that are in effect now. */
  allow: readonly PermittedAction[];
  /** Denials that are in effect now. They win over the role and the grants. */
  deny: readonly PermittedAction[];
}

/** A permission that one user is allowed or denied (`docs/spec/permissions.md`). */
export interface UserPermission {
  id: string;
  permission: PermittedAction;
  granted: boolean;
  grantedBy: string;
  /** The expiry time; null: until an administrator removes the permission. */
  expiresAt: string | null;
  createdAt: string;
}

/** read ⊂ comment ⊂ edit, and read ⊂ comment ⊂ approve: the level `approve` does not include editing. */
export const grantLevels = ["read", "comment", "edit", "approve"] as const;
export type GrantLevel = (typeof grantLevels)[number];

/** A share of one SOP with a user or a team (`docs/spec/permissions.md`). */
export interface Grant {
  id: string;
  userId: string | null;
  teamId: string | null;
  permission: GrantLevel;
  grantedBy: string;
  grantedAt: string;
}

/** The facts about an SOP that access decisions need. */
export interface SopFacts {
  companyId: string;
  authorId: string;
  ownerId: string | null;
  teamId: string | null;
  status: string;
  restricted: boolean;
  deletedAt: string | null;
  /** The version that readers see; null without one. */
  published: { readonly version: number } | null;
  version: number;
  grants: readonly Pick<Grant, "userId" | "teamId" | "permission">[];
  /** The approvers of a pending request. They can read the SOP and comment on it until the request is resolved. */
  approvers: readonly string[];
}
