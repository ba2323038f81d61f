import { actions } from "#core/permissions/actions.ts";
import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";

const text = { title: "T", description: "D", markdown: "M" };

describeServer("permissions of users and roles", (server) => {
  let company: Company;
  let boss: TestUser;

  beforeAll(async () => {
    company = await server().company();
    boss = await company.user("company_admin");
  });

  const sop = async () => ({ id: (await boss.client.sops.create({ body: { ...text, status: "published" } })).id });

  test("apply at once and end by the clock; a denial overrides shares and authorship", async () => {
    const viewer = await company.user("viewer");
    const params = await sop();
    const edit = () => viewer.client.sops.update({ params, body: { title: `T ${Math.random()}` } });
    await expect(edit()).rejects.toMatchObject({ status: 403 });
    const expiresAt = new Date(server().clock.millis() + 60_000).toISOString();
    const rights = await boss.client.companyPermissions.set({
      params: { id: viewer.id },
      body: { permission: "sop.edit", granted: true, expiresAt },
    });
    expect(rights.permissions).toMatchObject([{ permission: "sop.edit", granted: true, expiresAt, expired: false }]);
    expect(rights.effective.find(({ permission }) => permission === "sop.edit")).toEqual({
      permission: "sop.edit",
      byRole: "none",
      effective: "all",
      settable: true,
    });
    expect((await viewer.client.auth.me()).user.allow).toEqual(["sop.edit"]);
    expect((await edit()).version).toBe(2);
    server().clock.advance(60_000);
    await expect(edit()).rejects.toMatchObject({ status: 403 });
    expect((await boss.client.companyPermissions.list({ params: { id: viewer.id } })).permissions).toMatchObject([
      { expired: true },
    ]);
    await boss.client.sops.grant({ params, body: { userId: viewer.id, permission: "edit" } });
    expect((await edit()).version).toBe(3);
    const denied = await boss.client.companyPermissions.set({
      params: { id: viewer.id },
      body: { permission: "sop.edit", granted: false },
    });
    expect(denied.permissions).toHaveLength(1);
    await expect(edit()).rejects.toMatchObject({ status: 403 });
    const permissionId = denied.permissions[0]?.id ?? "";
    await boss.client.companyPermissions.clear({ params: { id: viewer.id, permissionId } });
    expect((await edit()).version).toBe(4);
    const audit = await server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, entityId: viewer.id }, { sort: { _id: 1 } });
    expect(audit.map(({ action }) => action).filter((action) => action.includes("permission"))).toEqual([
      "user.permission_give",
      "user.permission_deny",
      "user.permission_clear",
    ]);
  });

  test("that deny reading drafts leave the published version", async () => {
    const editor = await company.user("editor");
    const params = await sop();
    await boss.client.sops.update({ params, body: { title: "Next" } });
    expect((await editor.client.sops.get({ params })).title).toBe("Next");
    const body = { permission: "sop.read_head", granted: false } as const;
    await boss.client.companyPermissions.set({ params: { id: editor.id }, body });
    expect((await editor.client.sops.get({ params })).title).toBe("T");
    await expect(editor.client.sops.update({ params, body: { title: "X" } })).rejects.toMatchObject({ status: 403 });
    const { data } = await editor.client.sops.list({});
    expect(data.map(({ title }) => title)).not.toContain("Next");
  });

  test("can't be given to oneself, above oneself, or from outside the company", async () => {
    const [admin, second, editor] = [
      await company.user("admin"),
      await company.user("company_admin"),
      await company.user("editor"),
    ];
    const set = (by: TestUser, id: string, permission: "sop.edit" | "companies.manage" | "company.settings") =>
      by.client.companyPermissions.set({ params: { id }, body: { permission, granted: true } });
    await expect(set(boss, boss.id, "sop.edit")).rejects.toMatchObject({ status: 403 });
    await expect(set(boss, second.id, "sop.edit")).rejects.toMatchObject({ status: 403 });
    await expect(set(boss, editor.id, "companies.manage")).rejects.toMatchObject({ status: 403 });
    await expect(set(admin, editor.id, "sop.edit")).rejects.toMatchObject({ status: 403 });
    // an administrator with the permission for settings gives no more than that, and to no peer
    await set(boss, admin.id, "company.settings");
    const deny = { permission: "sop.publish", granted: false } as const;
    await boss.client.companyPermissions.set({ params: { id: admin.id }, body: deny });
    const give = { permission: "sop.publish", granted: true } as const;
    await expect(admin.client.companyPermissions.set({ params: { id: editor.id }, body: give })).rejects.toMatchObject({
      status: 403,
    });
    await expect(set(admin, second.id, "sop.edit")).rejects.toMatchObject({ status: 403 });
    await set(admin, editor.id, "sop.edit");
    const past = { permission: "sop.edit", granted: true, expiresAt: server().clock.now() } as const;
    await expect(boss.client.companyPermissions.set({ params: { id: editor.id }, body: past })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("can be changed by a system administrator in any company, and that company's log records it", async () => {
    const root = await (await server().company()).user("system_admin");
    const body = { permission: "audit.export", granted: false } as const;
    const rights = await root.client.adminPermissions.set({ params: { id: boss.id }, body });
    expect(rights.permissions).toMatchObject([
      { permission: "audit.export", granted: false, grantedBy: { id: root.id } },
    ]);
    const log = await server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, entityId: boss.id }, { sort: { _id: 1 } });
    expect(log.map(({ userId, action }) => [userId, action])).toContainEqual([root.id, "user.permission_deny"]);
    const permissionId = rights.permissions[0]?.id ?? "";
    await root.client.adminPermissions.clear({ params: { id: boss.id, permissionId } });
    await expect(boss.client.adminPermissions.list({ params: { id: boss.id } })).rejects.toMatchObject({ status: 403 });
  });

  test("can be changed for roles of a company, below its administrators", async () => {
    const own = await server().company();
    const [chief, editor, viewer] = [
      await own.user("company_admin"),
      await own.user("editor"),
      await own.user("viewer"),
    ];
    const set = (
      role: "editor" | "viewer" | "company_admin",
      permission: "sop.publish" | "sop.create",
      granted: boolean | null,
    ) => chief.client.roles.set({ body: { role, permission, granted } });
    const params = { id: (await editor.client.sops.create({ body: text })).id };
    await expect(editor.client.sops.publish({ params, body: {} })).rejects.toMatchObject({ status: 403 });
    const rights = await set("editor", "sop.publish", true);
    expect(rights).toHaveLength(8 * actions.length);
    expect(rights.find(({ role, permission }) => role === "editor" && permission === "sop.publish")).toEqual({
      id: "editor:sop.publish",
      role: "editor",
      permission: "sop.publish",
      resource: "sop",
      description: "Publish and unpublish",
      createdAt: expect.stringMatching(/^20\d\d-/) as string,
      default: "none",
      override: true,
      effective: "all",
      settable: true,
    });
    expect((await editor.client.sops.publish({ params, body: {} })).status).toBe("published");
    await set("editor", "sop.create", false);
    await expect(editor.client.sops.create({ body: text })).rejects.toMatchObject({ status: 403 });
    await set("viewer", "sop.create", true);
    expect((await viewer.client.sops.create({ body: text })).status).toBe("draft");
    await set("editor", "sop.create", null);
    await editor.client.sops.create({ body: text });
    await expect(set("company_admin", "sop.publish", false)).rejects.toMatchObject({ status: 403 });
    await expect(editor.client.roles.list()).rejects.toMatchObject({ status: 403 });
    const log = await server()
      .db.collection("audit_logs")
      .find({ companyId: own.id, action: "role.permission" }, { sort: { _id: 1 } });
    expect(log).toHaveLength(4);
    // elsewhere nothing changed
    const other = await company.user("viewer");
    await expect(other.client.sops.create({ body: text })).rejects.toMatchObject({ status: 403 });
  });
});
