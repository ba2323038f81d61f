/** Grants as an index sees them, and their end when their user or team goes. */
import type { Actor, Grant } from "#core/permissions/actor.ts";
import type { Collections, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

export type Grantee = Pick<Grant, "userId" | "teamId">;

export function granteeOf({ userId, teamId }: Grantee): string {
  return userId === null ? `team:${teamId}` : `user:${userId}`;
}

/** Under which names grants reach this actor. */
export function granteesOf({ userId, teamIds }: Pick<Actor, "userId" | "teamIds">): string[] {
  return [`user:${userId}`, ...teamIds.map((teamId) => `team:${teamId}`)];
}

export function withGrants(sop: SopDocument, grants: readonly Grant[]): SopDocument {
  return withGrantees({ ...sop, grants: [...grants] });
}

/** Named approvers reach the SOP by the same index as those it was shared with. */
export function withGrantees(sop: SopDocument): SopDocument {
  const approvers = sop.approvers.map((userId) => granteeOf({ userId, teamId: null }));
  return { ...sop, grantees: [...new Set([...sop.grants.map(granteeOf), ...approvers])] };
}

/** Revokes all access of a deleted user or team. Part of the transaction that deletes it. */
export async function dropGrantsOf(
  tx: Transaction<Collections>,
  companyId: string,
  who: { userId: string } | { teamId: string },
): Promise<number> {
  const grantee = granteeOf({ userId: null, teamId: null, ...who });
  const { matchedCount } = await tx
    .forCompany(companyId)
    .collection("sops")
    .updateMany({ grantees: grantee }, { $pull: { grantees: grantee, grants: who }, $inc: { revision: 1 } });
  return matchedCount;
}
