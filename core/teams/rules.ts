/**
 * Decides who can edit a team (`docs/spec/permissions.md`): administrators can edit all teams, and managers, leads and
 * owners their own.
 */
import type { Actor } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";
import type { Role } from "../permissions/roles.ts";

export interface TeamFacts {
  ownerId: string;
  /** The user's role in the team; null for a user who is no member. */
  memberRole: string | null;
}

const everyTeam: readonly Role[] = ["system_admin", "company_admin", "admin"];

/** Tells whether the user can rename and describe a team, and add and remove its members. */
export function mayWriteTeam(actor: Actor, team: TeamFacts): boolean {
  if (actor.deny.includes("team.write")) return false;
  if (mayDeleteTeam(actor, team)) return true;
  return (
    team.ownerId === actor.userId ||
    team.memberRole === "lead" ||
    (team.memberRole !== null && can(actor, "team.write"))
  );
}

/** Tells whether the user can delete a team or change its owner. */
export function mayDeleteTeam(actor: Actor, team: TeamFacts): boolean {
  if (!can(actor, "team.write")) return false;
  return mayWriteEveryTeam(actor) || team.ownerId === actor.userId;
}

/** Tells whether the user can edit every team, and create a team for another owner. */
export function mayWriteEveryTeam(actor: Actor): boolean {
  return everyTeam.includes(actor.role) && can(actor, "team.write");
}
