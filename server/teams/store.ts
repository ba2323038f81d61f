/** Stores members of teams. One transaction updates them together with the `teamIds` of users. */
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { granteeKeyOf } from "#core/permissions/grantees.ts";
import { slugify } from "#core/repository/slugs.ts";
import type { TeamRole } from "#core/teams/schema.ts";
import type { Collections, TeamDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { keepMembersInAudience } from "../acknowledgements/team-dissolved.ts";
import { refusals } from "./refusals.ts";

interface TeamMembership {
  companyId: string;
  teamId: string;
  userId: string;
}

/**
 * Adds the user to the team, or changes the user's role in it.
 * @returns the role before; null for a new member; undefined if nothing changed
 * @throws AppError invalid_input if the user isn't an active user of the company
 */
export async function setTeamRole(
  tx: Transaction<Collections>,
  { companyId, teamId, userId }: TeamMembership,
  role: TeamRole,
  at: string,
): Promise<string | null | undefined> {
  const company = tx.forCompany(companyId);
  const user = await company.collection("users").findOne({ _id: userId, status: "active" });
  if (!user) {
    const message = refusals.inactiveUser();
    throw new AppError("invalid_input", message, { userId: message });
  }
  const members = company.collection("team_members");
  const known = await members.findOne({ teamId, userId });
  if (known?.role === role) return undefined;
  if (known) await members.updateOne({ _id: known._id }, { $set: { role } });
  else {
    await members.insertOne({ _id: newId(), companyId, teamId, userId, role, joinedAt: at });
    await company.collection("users").updateOne({ _id: userId }, { $addToSet: { teamIds: teamId } });
  }
  return known?.role ?? null;
}

/**
 * Removes the user from the team.
 * @returns whether the user was a member
 */
export async function leaveTeam(
  tx: Transaction<Collections>,
  { companyId, teamId, userId }: TeamMembership,
): Promise<boolean> {
  const company = tx.forCompany(companyId);
  const gone = await company.collection("team_members").deleteOne({ teamId, userId });
  await company.collection("users").updateOne({ _id: userId }, { $pull: { teamIds: teamId } });
  return gone > 0;
}

/** Revokes all access of a deleted user or team to SOPs, in the transaction that deletes it. */
async function revokeGrantsOf(
  tx: Transaction<Collections>,
  companyId: string,
  who: { userId: string } | { teamId: string },
): Promise<void> {
  const grantee = granteeKeyOf({ userId: null, teamId: null, ...who });
  await tx
    .forCompany(companyId)
    .collection("sops")
    .updateMany({ grantees: grantee }, { $pull: { grantees: grantee, grants: who }, $inc: { revision: 1 } });
}

/**
 * Removes a deleted user from every team, revokes all access given to the user, and deletes the user's own permissions,
 * in the transaction that deletes the user.
 */
export async function removeMembershipsAndPermissions(
  tx: Transaction<Collections>,
  companyId: string,
  userId: string,
): Promise<void> {
  const company = tx.forCompany(companyId);
  await company.collection("team_members").deleteMany({ userId });
  await company.collection("users").updateOne({ _id: userId }, { $set: { teamIds: [], permissions: [] } });
  await revokeGrantsOf(tx, companyId, { userId });
}

/**
 * Deletes a team, with its memberships and its access to SOPs. The team's SOPs and categories stay, without a team.
 * @returns the number of SOPs and categories that lost their team
 */
export async function deleteTeam(
  tx: Transaction<Collections>,
  companyId: string,
  teamId: string,
): Promise<{ sops: number; categories: number }> {
  const company = tx.forCompany(companyId);
  await company.collection("teams").deleteOne({ _id: teamId });
  const members = await company.collection("team_members").find({ teamId });
  await company.collection("team_members").deleteMany({ teamId });
  await company
    .collection("users")
    .updateMany({ _id: { $in: members.map(({ userId }) => userId) } }, { $pull: { teamIds: teamId } });
  await revokeGrantsOf(tx, companyId, { teamId });
  await keepMembersInAudience(tx, companyId, teamId, members);
  const sops = company.collection("sops");
  await sops.updateMany({ hasPublished: true, "published.teamId": teamId }, { $set: { "published.teamId": null } });
  await sops.updateMany(
    { "scheduled.effectiveAt": { $gt: "" }, "scheduled.teamId": teamId },
    { $set: { "scheduled.teamId": null } },
  );
  const owned = await sops.updateMany({ teamId }, { $set: { teamId: null }, $inc: { revision: 1 } });
  const categories = await company.collection("categories").updateMany({ teamId }, { $set: { teamId: null } });
  return { sops: owned.matchedCount, categories: categories.matchedCount };
}

/**
 * Returns a slug for the team, from its name.
 * @throws AppError conflict when another team has this name
 */
export function createTeamSlug(name: string, others: readonly TeamDocument[]): string {
  assertNameFree(name, others);
  const base = slugify(name);
  const taken = new Set(others.map(({ slug }) => slug));
  for (let suffix = 1; ; suffix++) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`;
    if (!taken.has(slug)) return slug;
  }
}

/**
 * Checks that no other team has this name.
 * @throws AppError conflict
 */
export function assertNameFree(name: string, others: readonly TeamDocument[]): void {
  const folded = name.normalize("NFKC").toLowerCase();
  if (others.some((other) => other.name.normalize("NFKC").toLowerCase() === folded)) throw teamNameTakenError();
}

export function teamNameTakenError(): AppError {
  return new AppError("conflict", refusals.nameTaken(), { name: refusals.nameTaken() });
}
