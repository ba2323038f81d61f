import { createHash, randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const text = { title: "T", description: "D", markdown: "M" };

describeServer("shares of an SOP", (server) => {
  let company: Company;
  let boss: TestUser;
  let reader: TestUser;

  beforeAll(async () => {
    company = await server().company();
    boss = await company.user("manager", { name: "Ada Boss" });
    reader = await company.user("viewer", { name: "Ben Reader" });
  });

  const draft = async () => ({ id: (await boss.client.sops.create({ body: text })).id });
  const status = async (user: TestUser, id: string) => (await user.send({ path: `/api/sops/${id}` })).status;
  const rows = (id: string, action: string) =>
    server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, entityId: id, action }, { sort: { _id: 1 } });

  test("open a draft to a user; a second one changes the level, a removal ends it", async () => {
    const params = await draft();
    expect(await status(reader, params.id)).toBe(404);
    const given = await boss.client.sops.grant({ params, body: { userId: reader.id, permission: "read" } });
    expect(given.permissions).toMatchObject([
      { userId: reader.id, teamId: null, name: "Ben Reader", permission: "read", grantedBy: { name: "Ada Boss" } },
    ]);
    expect((await reader.client.sops.get({ params })).grants).toEqual([
      { userId: reader.id, teamId: null, permission: "read" },
    ]);
    await expect(reader.client.sops.update({ params, body: { title: "X" } })).rejects.toMatchObject({ status: 403 });
    const changed = await boss.client.sops.grant({ params, body: { userId: reader.id, permission: "edit" } });
    expect(changed.permissions.map(({ id, permission }) => ({ id, permission }))).toEqual([
      { id: given.permissions[0]?.id, permission: "edit" },
    ]);
    expect((await reader.client.sops.update({ params, body: { title: "X" } })).title).toBe("X");
    // who was let in does not let others in, nor sees who else was
    await expect(reader.client.sops.permissions({ params })).rejects.toMatchObject({ status: 403 });
    const permissionId = given.permissions[0]?.id ?? "";
    expect((await boss.client.sops.revoke({ params: { ...params, permissionId } })).permissions).toEqual([]);
    expect(await status(reader, params.id)).toBe(404);
    await expect(boss.client.sops.revoke({ params: { ...params, permissionId } })).rejects.toMatchObject({
      status: 404,
    });
    expect((await rows(params.id, "sop.grant")).map(({ changes }) => changes)).toEqual([
      { [`user:${reader.id}`]: { from: null, to: "read" } },
      { [`user:${reader.id}`]: { from: "read", to: "edit" } },
    ]);
    expect(await rows(params.id, "sop.revoke")).toHaveLength(1);
  });

  test("are in answers and lists only if they reach the user", async () => {
    const params = await draft();
    const second = await company.user("viewer");
    for (const { id } of [reader, second])
      await boss.client.sops.grant({ params, body: { userId: id, permission: "read" } });
    for (const user of [reader, second, reader]) {
      const { data } = await user.client.sops.list({});
      expect(data.find(({ id }) => id === params.id)?.grants).toEqual([
        { userId: user.id, teamId: null, permission: "read" },
      ]);
    }
    const { data } = await boss.client.sops.list({});
    expect(data.find(({ id }) => id === params.id)?.grants).toEqual([]);
  });

  test("with a team reach its members as long as they are members, and end with the team", async () => {
    const params = await draft();
    const team = await boss.client.teams.create({ body: { name: "Readers" } });
    await boss.client.sops.grant({ params, body: { teamId: team.id, permission: "comment" } });
    expect(await status(reader, params.id)).toBe(404);
    await boss.client.teams.addMember({ params: { id: team.id }, body: { userId: reader.id } });
    expect(await status(reader, params.id)).toBe(200);
    await boss.client.teams.removeMember({ params: { id: team.id, userId: reader.id } });
    expect(await status(reader, params.id)).toBe(404);
    await boss.client.teams.remove({ params: { id: team.id } });
    expect((await boss.client.sops.permissions({ params })).permissions).toEqual([]);
    expect((await server().db.collection("sops").findOne({ _id: params.id }))?.grantees).toEqual([]);
  });

  test("give at most the giver's own access, to people of the company only", async () => {
    const author = await company.user("contributor");
    const params = { id: (await author.client.sops.create({ body: text })).id };
    const access = await author.client.sops.permissions({ params });
    expect([access.givable, access.mayRestrict]).toEqual([["read", "comment", "edit"], false]);
    expect(access.readers).toEqual(["system_admin", "company_admin", "admin", "manager", "editor"]);
    const give = (body: { userId?: string; teamId?: string; permission: "read" | "approve" }) =>
      author.client.sops.grant({ params, body });
    await expect(give({ userId: reader.id, permission: "approve" })).rejects.toMatchObject({ status: 403 });
    const stranger = await (await server().company()).user("viewer");
    for (const userId of [stranger.id, "nobody"])
      await expect(give({ userId, permission: "read" })).rejects.toMatchObject({ status: 400 });
    await expect(give({ teamId: "none", permission: "read" })).rejects.toMatchObject({ status: 400 });
    await expect(give({ permission: "read" })).rejects.toMatchObject({ status: 400 });
    await expect(give({ userId: reader.id, teamId: "x", permission: "read" })).rejects.toMatchObject({ status: 400 });
    expect((await boss.client.sops.permissions({ params })).givable).toEqual(["read", "comment", "edit", "approve"]);
  });

  test("limit a restricted SOP to its owner, the administrators and the people it is shared with; counts follow", async () => {
    const admin = await company.user("company_admin");
    const editor = await company.user("editor");
    const params = { id: (await boss.client.sops.create({ body: { ...text, status: "published" } })).id };
    const totals = async () => {
      const all = await Promise.all([boss, admin, editor, reader].map((user) => user.client.stats.get()));
      return all.map(({ totalSOPs }) => totalSOPs);
    };
    const before = await totals();
    expect(await boss.client.sops.restrict({ params, body: { restricted: true } })).toMatchObject({ restricted: true });
    expect(await Promise.all([boss, admin, editor, reader].map((user) => status(user, params.id)))).toEqual([
      200, 200, 404, 404,
    ]);
    expect(await totals()).toEqual(before.map((count, n) => (n < 2 ? count : count - 1)));
    // a share sets the access to this SOP, regardless of the role elsewhere
    await boss.client.sops.grant({ params, body: { userId: editor.id, permission: "read" } });
    expect(await status(editor, params.id)).toBe(200);
    await expect(editor.client.sops.update({ params, body: { title: "X" } })).rejects.toMatchObject({ status: 403 });
    expect(await totals()).toEqual(before.map((count, n) => (n < 3 ? count : count - 1)));
    await boss.client.sops.restrict({ params, body: { restricted: false } });
    expect(await totals()).toEqual(before);
    expect(await rows(params.id, "sop.restrict")).toHaveLength(1);
    expect(await rows(params.id, "sop.unrestrict")).toHaveLength(1);
    await expect(editor.client.sops.restrict({ params, body: { restricted: true } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test("to edit don't allow a new owner or another team", async () => {
    const editor = await company.user("editor");
    const team = await boss.client.teams.create({ body: { name: "Takers" } });
    const params = await draft();
    for (const body of [{ ownerId: editor.id }, { ownerId: null }, { teamId: team.id }])
      await expect(editor.client.sops.update({ params, body })).rejects.toMatchObject({ status: 403 });
    const whole = await editor.client.sops.get({ params });
    expect((await editor.client.sops.update({ params, body: { ...whole, title: "Whole" } })).version).toBe(2);
    const { markdown } = whole;
    const file = `---\nid: ${params.id}\nversion: 2\ntitle: Taken\ndescription: D\nowner: ${editor.username}\n---\n\n${markdown}\n`;
    const sha256 = createHash("sha256").update(file).digest("hex");
    const documents = [{ path: "a.md", text: file, sha256 }];
    const importAs = (user: TestUser) => user.client.sops.import({ body: { importId: randomUUID(), documents } });
    expect((await importAs(editor)).results).toMatchObject([
      { outcome: "refused", reason: "You don't have permission to give this SOP to another owner or team" },
    ]);
    expect((await importAs(boss)).results).toMatchObject([{ outcome: "update" }]);
    expect((await boss.client.sops.get({ params })).ownerId).toBe(editor.id);
  });

  test("at the same moment are all kept, together with a save", async () => {
    const params = await draft();
    const people = await Promise.all(Array.from({ length: 6 }, () => company.user("viewer")));
    await Promise.all([
      ...people.map(({ id }) => boss.client.sops.grant({ params, body: { userId: id, permission: "read" } })),
      boss.client.sops.update({ params, body: { title: "Meanwhile" } }),
    ]);
    const { permissions } = await boss.client.sops.permissions({ params });
    expect(permissions.map(({ userId }) => userId).sort()).toEqual(people.map(({ id }) => id).sort());
    expect((await boss.client.sops.get({ params })).title).toBe("Meanwhile");
  });
});
