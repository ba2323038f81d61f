/** The people and teams of grants, in the form of an index. */
import type { Actor, Grant } from "./actor.ts";

export type Grantee = Pick<Grant, "userId" | "teamId">;

interface Shared {
  grants: Grant[];
  /** The user ids of the approvers. */
  approvers: string[];
  grantees: string[];
}

export function granteeOf({ userId, teamId }: Grantee): string {
  return userId === null ? `team:${teamId}` : `user:${userId}`;
}

/** The keys by which grants apply to this user. */
export function granteesOf({ userId, teamIds }: Pick<Actor, "userId" | "teamIds">): string[] {
  return [`user:${userId}`, ...teamIds.map((teamId) => `team:${teamId}`)];
}

export function withGrants<Sop extends Shared>(sop: Sop, grants: readonly Grant[]): Sop {
  return withGrantees({ ...sop, grants: [...grants] });
}

/** Adds the approvers to the index of people with whom the SOP is shared. */
export function withGrantees<Sop extends Shared>(sop: Sop): Sop {
  const approvers = sop.approvers.map((userId) => granteeOf({ userId, teamId: null }));
  return { ...sop, grantees: [...new Set([...sop.grants.map(granteeOf), ...approvers])] };
}
