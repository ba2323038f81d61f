import type { Action } from "./actions.ts";
import type { Role } from "./roles.ts";

/** Who asks: what every decision needs to know of the signed-in user. Made by `resolveActor`. */
export interface Actor {
  userId: string;
  companyId: string;
  role: Role;
  teamIds: readonly string[];
  /** Permissions beyond the role that hold now. */
  allow: readonly Action[];
  /** Denials that hold now. They win over the role and the grants. */
  deny: readonly Action[];
}

/** A permission that one user is allowed or denied (`docs/spec/permissions.md`). */
export interface UserPermission {
  id: string;
  permission: Action;
  granted: boolean;
  grantedBy: string;
  /** null: until it is taken back. */
  expiresAt: string | null;
  createdAt: string;
}

/** read ⊂ comment ⊂ edit, and read ⊂ comment ⊂ approve: approving does not include editing. */
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

/** What decisions need to know of an SOP. */
export interface SopFacts {
  companyId: string;
  authorId: string;
  ownerId: string | null;
  teamId: string | null;
  status: string;
  restricted: boolean;
  deletedAt: string | null;
  publishedVersion: number | null;
  version: number;
  grants: readonly Pick<Grant, "userId" | "teamId" | "permission">[];
  /** Whom a pending approval request names: they read and comment what they decide about, until it is resolved. */
  approvers: readonly string[];
}
