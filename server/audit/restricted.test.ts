import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";

describeServer("the audit log hides SOPs that the user can't read", (server) => {
  const secret = "Merger with Northwind";

  async function madeCompany() {
    const company = await server().company();
    const [boss, admin, manager] = [
      await company.user("company_admin"),
      await company.user("admin"),
      await company.user("manager"),
    ];
    const body = { title: "Plain", description: "D", markdown: "M" };
    const { id } = await boss.client.sops.create({ body });
    await boss.client.sops.restrict({ params: { id }, body: { restricted: true } });
    await boss.client.sops.update({ params: { id }, body: { title: secret, changeNote: `${secret} is near` } });
    const { id: openId } = await manager.client.sops.create({ body: { ...body, title: "Known to all" } });
    return { boss, admin, manager, id, openId };
  }

  test("in lists and searches, title and note; people who can read the SOP see both", async () => {
    const { boss, admin, manager, id, openId } = await madeCompany();
    const answer = await admin.send({ path: "/api/company/audit" });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain("Northwind");
    expect(answer.body).toContain("Known to all");
    const { data } = await admin.client.audit.list({ query: { entityId: id } });
    // that something happened, by whom and when, is the log's to tell
    expect(data.map(({ action, changes }) => [action.startsWith("sop."), changes])).toEqual(
      data.map(() => [true, null]),
    );
    expect(data.length).toBeGreaterThan(2);
    expect((await admin.client.audit.list({ query: { search: "northwind" } })).data).toEqual([]);
    expect((await boss.client.audit.list({ query: { search: "northwind" } })).data).not.toEqual([]);
    await boss.client.sops.grant({ params: { id }, body: { userId: admin.id, permission: "read" } });
    expect((await admin.client.audit.list({ query: { search: "northwind" } })).data).not.toEqual([]);
    // no one can read a deleted SOP, but people who could still see its entries
    await manager.client.sops.remove({ params: { id: openId } });
    expect((await admin.client.audit.list({ query: { search: "known to all" } })).data).not.toEqual([]);
  });

  test("in exports; only a user who reads everything gets a provable export", async () => {
    const { boss, admin } = await madeCompany();
    const body = { permission: "audit.export", granted: true } as const;
    await boss.client.companyPermissions.set({ params: { id: admin.id }, body });
    const csv = await admin.send({ path: "/api/company/audit/export?format=csv" });
    expect([csv.status, csv.body.includes("Northwind"), csv.body.includes("Known to all")]).toEqual([200, false, true]);
    expect((await admin.send({ path: "/api/company/audit/export?format=ndjson" })).status).toBe(403);
    const whole = await boss.send({ path: "/api/company/audit/export?format=csv" });
    expect(whole.body).toContain("Northwind");
  });

  test("as drafts, from a reader with access to the log", async () => {
    const { boss, manager } = await madeCompany();
    await boss.client.roles.set({ body: { role: "viewer", permission: "audit.read", granted: true } });
    const made = await boss.client.companyUsers.create({
      body: { username: `reader-${server().engine}`, name: "Rea Der", password: "a long walk to the river" },
    });
    const reader = await server().signIn(made.username);
    const cookie = reader.headers.get("set-cookie")?.split(";")[0] ?? "";
    const answer = await server().send({ path: "/api/company/audit", headers: { cookie } });
    expect([answer.status, answer.body.includes("Known to all")]).toEqual([200, false]);
    expect((await manager.client.audit.list()).data).toEqual([]);
  });
});
