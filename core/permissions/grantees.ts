/** The people and teams of grants, in the form of an index. */
import type { Actor, Grant } from "./actor.ts";

export type Grantee = Pick<Grant, "userId" | "teamId">;

interface SopGrants {
  grants: Grant[];
  /** The user ids of the approvers. */
  approvers: string[];
  grantees: string[];
}

export function granteeKeyOf({ userId, teamId }: Grantee): string {
  return userId === null ? `team:${teamId}` : `user:${userId}`;
}

/** The keys by which grants apply to this user. */
export function granteeKeysOf({ userId, teamIds }: Pick<Actor, "userId" | "teamIds">): string[] {
  return [`user:${userId}`, ...teamIds.map((teamId) => `team:${teamId}`)];
}

/** Replaces all grants of an SOP, and updates `grantees`. */
export function withGrantsReplaced<Sop extends SopGrants>(sop: Sop, grants: readonly Grant[]): Sop {
  return withGranteeIndex({ ...sop, grants: [...grants] });
}

/** Recomputes `grantees`, the index of users and teams with access, from the grants and the approvers. */
export function withGranteeIndex<Sop extends SopGrants>(sop: Sop): Sop {
  const approvers = sop.approvers.map((userId) => granteeKeyOf({ userId, teamId: null }));
  return { ...sop, grantees: [...new Set([...sop.grants.map(granteeKeyOf), ...approvers])] };
}
