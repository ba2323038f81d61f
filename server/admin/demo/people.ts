/** Creates the example company with its people and teams in one transaction. */
import { newId } from "#core/ids.ts";
import { printedName } from "#core/users/printed-name.ts";
import { createAccount } from "../../sign-in/store.ts";
import { recordAudit } from "../../audit/record.ts";
import { createCompany } from "../../companies/create.ts";
import type { Collections, UserDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import type { DemoCompany } from "./company.ts";

export interface DemoPeople {
  companyId: string;
  /** The users by username. */
  users: ReadonlyMap<string, UserDocument>;
  /** Team ids by slug. */
  teams: ReadonlyMap<string, string>;
}

export async function createDemoCompany(
  tx: Transaction<Collections>,
  company: DemoCompany,
  founder: UserDocument,
  passwordHash: string,
  at: string,
): Promise<DemoPeople> {
  const { name, slug, description, subscription, industry, size, maxUsers, maxSOPs } = company;
  const { _id: companyId } = await createCompany(tx, { name, slug, industry, size, maxUsers, maxSOPs, at });
  // the check of links is off, because the first texts link SOPs that the story creates later
  const unchecked = { "settings.textRules": "off" } as const;
  await tx.collection("companies").updateOne({ _id: companyId }, { $set: { description, subscription, ...unchecked } });

  const teams = new Map(company.teams.map((team) => [team.slug, newId()]));
  const users = new Map<string, UserDocument>();
  for (const { username, name, role, title, department } of company.users) {
    const account = { companyId, username, email: null, passwordHash, name, role, title, department, at };
    const user = await createAccount(tx, account);
    const teamIds = company.teams
      .filter(({ members }) => members.includes(username))
      .flatMap(({ slug }) => teams.get(slug) ?? []);
    if (teamIds.length > 0) await tx.collection("users").updateOne({ _id: user._id }, { $set: { teamIds } });
    users.set(username, { ...user, teamIds });
  }

  const userIdOf = (username: string) => assertNamedInDemo(users.get(username), username)._id;
  const idOfTeam = (slug: string) => assertNamedInDemo(teams.get(slug), slug);
  const store = tx.forCompany(companyId);
  for (const { name, slug, owner, members } of company.teams) {
    const _id = idOfTeam(slug);
    const team = {
      _id,
      companyId,
      name,
      slug,
      description: null,
      ownerId: userIdOf(owner),
      createdAt: at,
      updatedAt: at,
    };
    await store.collection("teams").insertOne(team);
    await store.collection("team_members").insertMany(
      members.map((member) => ({
        _id: newId(),
        companyId,
        teamId: _id,
        userId: userIdOf(member),
        role: member === owner ? "owner" : "member",
        joinedAt: at,
      })),
    );
  }

  const recordInAudit = (action: string, entityType: string, entityId: string, changes: Record<string, unknown>) =>
    recordAudit(tx, {
      companyId,
      userId: founder._id,
      userName: printedName(founder),
      action,
      entityType,
      entityId,
      changes,
      at,
      origin: null,
    });
  await recordInAudit("company.create", "company", companyId, { name, slug });
  for (const { _id, username, role } of users.values())
    await recordInAudit("user.create", "user", _id, { username, role });
  for (const team of company.teams)
    await recordInAudit("team.create", "team", idOfTeam(team.slug), { name: team.name });
  return { companyId, users, teams };
}

function assertNamedInDemo<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`company.json names ${name} without telling who or what that is`);
  return found;
}
