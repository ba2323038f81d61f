import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import { mayDeleteTeam, mayWriteTeam, type TeamFacts } from "#core/teams/rules.ts";
import type { Team, TeamMember } from "#core/teams/schema.ts";
import type { Collections, TeamDocument } from "../database/documents.ts";
import type { Database, Filter, Transaction } from "../database/port.ts";

/**
 * Loads a team, with the facts about the actor's role in it.
 * @throws AppError not_found
 */
export async function loadTeam(
  store: Transaction<Collections>,
  actor: Actor,
  id: string,
): Promise<{ team: TeamDocument; facts: TeamFacts }> {
  const company = store.forCompany(actor.companyId);
  const team = await company.collection("teams").findOne({ _id: id });
  if (!team) throw new AppError("not_found");
  // the actor is a member only with a record in `team_members`
  const [member] = await company.collection("team_members").find({ teamId: id, userId: actor.userId }, { limit: 1 });
  return { team, facts: { ownerId: team.ownerId, memberRole: member?.role ?? null } };
}

export async function presentTeams(
  db: Database<Collections>,
  actor: Actor,
  filter: Filter<TeamDocument>,
): Promise<Team[]> {
  const company = db.forCompany(actor.companyId);
  const teams = await company.collection("teams").find(filter);
  const ids = teams.map(({ _id }) => _id);
  const [counts, mine, owners] = await Promise.all([
    company
      .collection("team_members")
      .aggregate<{ _id: string; count: number }>([
        { $match: { teamId: { $in: ids } } },
        { $group: { _id: "$teamId", count: { $sum: 1 } } },
      ]),
    company.collection("team_members").find({ userId: actor.userId }),
    company
      .collection("users")
      .find({ _id: { $in: [...new Set(teams.map(({ ownerId }) => ownerId))] } }, { projection: { name: 1 } }),
  ]);
  const members = new Map(counts.map(({ _id, count }) => [_id, count]));
  const roles = new Map(mine.map(({ teamId, role }) => [teamId, role]));
  const names = new Map(owners.map(({ _id, name }) => [_id, name]));
  return teams
    .map(({ _id, name, slug, description, ownerId, createdAt, updatedAt }) => {
      const facts = { ownerId, memberRole: roles.get(_id) ?? null };
      return {
        id: _id,
        name,
        slug,
        description,
        ownerId,
        createdAt,
        updatedAt,
        ownerName: names.get(ownerId) ?? "",
        memberCount: members.get(_id) ?? 0,
        mayWrite: mayWriteTeam(actor, facts),
        mayDelete: mayDeleteTeam(actor, facts),
      };
    })
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

export async function presentTeamMembers(
  db: Database<Collections>,
  companyId: string,
  teamId: string,
): Promise<TeamMember[]> {
  const company = db.forCompany(companyId);
  const members = await company.collection("team_members").find({ teamId });
  const people = await company
    .collection("users")
    .find({ _id: { $in: members.map(({ userId }) => userId) } }, { projection: { name: 1, initials: 1 } });
  const byId = new Map(people.map((person) => [person._id, person]));
  return members
    .flatMap(({ userId, role, joinedAt }) => {
      const person = byId.get(userId);
      const known = role === "lead" ? ("lead" as const) : ("member" as const);
      return person ? [{ userId, name: person.name, initials: person.initials, role: known, joinedAt }] : [];
    })
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}
