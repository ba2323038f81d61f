import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

describeServer("teams", (server) => {
  let company: Company;
  let admin: TestUser;
  let manager: TestUser;
  let person: TestUser;

  beforeAll(async () => {
    company = await server().company();
    [admin, manager, person] = [
      await company.user("admin"),
      await company.user("manager", { name: "Mia Manager" }),
      await company.user("contributor", { name: "Pia Person" }),
    ];
  });

  const teamIds = async (user: TestUser) => (await user.client.auth.me()).user.teamIds;
  const forbidden = { status: 403 };

  test("have an owner, members with a role, and are counted while they have members", async () => {
    const before = (await manager.client.stats.get()).activeTeams;
    const team = await manager.client.teams.create({ body: { name: "Night shift", description: "Nights" } });
    expect(team).toMatchObject({
      slug: "night-shift",
      ownerId: manager.id,
      ownerName: "Mia Manager",
      memberCount: 1,
      mayWrite: true,
      mayDelete: true,
    });
    const params = { id: team.id };
    await manager.client.teams.addMember({ params, body: { userId: person.id } });
    const members = await manager.client.teams.addMember({ params, body: { userId: person.id, role: "lead" } });
    expect(members.map(({ name, role }) => [name, role])).toEqual([
      ["Mia Manager", "lead"],
      ["Pia Person", "lead"],
    ]);
    expect(await teamIds(person)).toContain(team.id);
    expect((await manager.client.stats.get()).activeTeams).toBe(before + 1);
    const log = await server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, entityId: team.id }, { sort: { _id: 1 } });
    expect(log.map(({ action }) => action)).toEqual(["team.create", "team.member_add", "team.member_change"]);
    await expect(
      manager.client.teams.removeMember({ params: { ...params, userId: manager.id } }),
    ).rejects.toMatchObject({
      status: 409,
    });
    await manager.client.teams.removeMember({ params: { ...params, userId: person.id } });
    expect(await teamIds(person)).not.toContain(team.id);
    await expect(manager.client.teams.removeMember({ params: { ...params, userId: person.id } })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    await expect(manager.client.teams.create({ body: { name: "night SHIFT" } })).rejects.toMatchObject({ status: 409 });
  });

  test("are changed by managers for their own, by leads for theirs, by administrators for all", async () => {
    const team = await manager.client.teams.create({ body: { name: "Owned" } });
    const params = { id: team.id };
    const other = await company.user("manager");
    const rename = (user: TestUser, name: string) => user.client.teams.update({ params, body: { name } });
    for (const user of [other, person]) await expect(rename(user, "Taken")).rejects.toMatchObject(forbidden);
    await manager.client.teams.addMember({ params, body: { userId: person.id } });
    await expect(rename(person, "Taken")).rejects.toMatchObject(forbidden);
    await manager.client.teams.addMember({ params, body: { userId: person.id, role: "lead" } });
    expect((await rename(person, "Led")).name).toBe("Led");
    const give = { ownerId: person.id };
    await expect(person.client.teams.update({ params, body: give })).rejects.toMatchObject(forbidden);
    await expect(person.client.teams.remove({ params })).rejects.toMatchObject(forbidden);
    await expect(other.client.teams.remove({ params })).rejects.toMatchObject(forbidden);
    expect((await admin.client.teams.update({ params, body: { ownerId: other.id } })).ownerId).toBe(other.id);
    expect(await teamIds(other)).toContain(team.id);
    const foreign = { body: { name: "For another", ownerId: person.id } };
    await expect(manager.client.teams.create(foreign)).rejects.toMatchObject(forbidden);
    expect((await admin.client.teams.create(foreign)).ownerId).toBe(person.id);
    await expect(person.client.teams.create({ body: { name: "Mine" } })).rejects.toMatchObject(forbidden);
    const seen = (await person.client.teams.list()).find(({ id }) => id === team.id);
    expect([seen?.mayWrite, seen?.mayDelete]).toEqual([true, false]);
  });

  test("leave their SOPs and categories without a team when deleted", async () => {
    const team = await admin.client.teams.create({ body: { name: "Passing" } });
    await admin.client.teams.addMember({ params: { id: team.id }, body: { userId: person.id } });
    const text = { title: "T", description: "D", markdown: "M", teamId: team.id };
    const { id } = await admin.client.sops.create({ body: { ...text, status: "published" } });
    const category = await admin.client.categories.create({ body: { name: "Passing", teamId: team.id } });
    expect((await person.client.sops.get({ params: { id } })).teamId).toBe(team.id);
    const gone = await admin.client.teams.remove({ params: { id: team.id } });
    expect(gone).toEqual({ ok: true, sops: 1, categories: 1 });
    expect((await admin.client.sops.get({ params: { id } })).teamId).toBeNull();
    expect((await person.client.sops.get({ params: { id } })).teamId).toBeNull();
    const kept = (await admin.client.categories.list()).find((one) => one.id === category.id);
    expect(kept?.teamId).toBeNull();
    expect(await teamIds(person)).not.toContain(team.id);
    // and the SOP can be saved on
    expect((await admin.client.sops.update({ params: { id }, body: { title: "Next" } })).version).toBe(2);
  });

  test("have a member once who joins twice at the same moment", async () => {
    const team = await admin.client.teams.create({ body: { name: "Crowd" } });
    const params = { id: team.id };
    const people = await Promise.all(Array.from({ length: 4 }, () => company.user("viewer")));
    await Promise.all(
      [...people, ...people].map(({ id }) => admin.client.teams.addMember({ params, body: { userId: id } })),
    );
    expect(await admin.client.teams.members({ params })).toHaveLength(5);
    for (const user of people) expect(await teamIds(user)).toEqual([team.id]);
  });

  test("lose a deleted user, as shares do", async () => {
    const [team, leaver] = [await admin.client.teams.create({ body: { name: "Left" } }), await company.user("viewer")];
    await admin.client.teams.addMember({ params: { id: team.id }, body: { userId: leaver.id } });
    const body = { title: "T", description: "D", markdown: "M" };
    const params = { id: (await admin.client.sops.create({ body })).id };
    await admin.client.sops.grant({ params, body: { userId: leaver.id, permission: "read" } });
    await admin.client.companyUsers.remove({ params: { id: leaver.id } });
    expect((await admin.client.sops.permissions({ params })).permissions).toEqual([]);
    expect(await admin.client.teams.members({ params: { id: team.id } })).toHaveLength(1);
    expect((await server().db.collection("users").findOne({ _id: leaver.id }))?.teamIds).toEqual([]);
  });
});
