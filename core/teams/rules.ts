/**
 * The users who can edit a team (`docs/spec/permissions.md`): administrators any, managers their own, leads and owners
 * theirs.
 */
import type { Actor } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";
import type { Role } from "../permissions/roles.ts";

export interface TeamFacts {
  ownerId: string;
  /** The actor's role in the team; null: no member. */
  memberRole: string | null;
}

const everyTeam: readonly Role[] = ["system_admin", "company_admin", "admin"];

/** Rename it, describe it, add and take out members. */
export function mayWriteTeam(actor: Actor, team: TeamFacts): boolean {
  if (actor.deny.includes("team.write")) return false;
  if (mayDeleteTeam(actor, team)) return true;
  return (
    team.ownerId === actor.userId ||
    team.memberRole === "lead" ||
    (team.memberRole !== null && can(actor, "team.write"))
  );
}

/** Delete it, or give it another owner. */
export function mayDeleteTeam(actor: Actor, team: TeamFacts): boolean {
  if (!can(actor, "team.write")) return false;
  return mayWriteEveryTeam(actor) || team.ownerId === actor.userId;
}

/** Also allows creating a team for another owner. */
export function mayWriteEveryTeam(actor: Actor): boolean {
  return everyTeam.includes(actor.role) && can(actor, "team.write");
}
