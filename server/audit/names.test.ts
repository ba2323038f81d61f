import { beforeAll, expect, test } from "vitest";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { redactRows, chainAndFindRowNumbersOfUser } from "./redact.ts";

describeServer("entries of the audit log name", (server) => {
  let company: Company;
  let boss: TestUser;

  beforeAll(async () => {
    company = await server().company();
    boss = await company.user("company_admin");
  });

  const rows = async (action: string) => (await boss.client.audit.list({ query: { action } })).data;
  const names = async (action: string) => {
    const { body } = await boss.send({ path: `/api/company/audit/export?action=${action}` });
    const [head, ...lines] = body.trim().split("\r\n");
    const column = head?.split(",").indexOf("entityName") ?? -1;
    return lines.map((line) => line.split(",")[column]);
  };

  test("a user who was suspended, deleted, given a right or a reset link, in the list and in the CSV", async () => {
    const { id } = await company.user("editor", { name: "Ben Baker" });
    const params = { id };
    const { client } = boss;
    await client.companyPermissions.set({ params, body: { permission: "sop.publish", granted: true } });
    await client.companyUsers.resetPassword({ params });
    await client.companyUsers.update({ params, body: { status: "suspended" } });
    await client.companyUsers.update({ params, body: { status: "active" } });
    await client.companyUsers.remove({ params });
    for (const action of [
      "user.permission_give",
      "user.reset_password",
      "user.suspend",
      "user.activate",
      "user.delete",
    ]) {
      const [row] = await rows(action);
      expect([action, row?.entityName, row?.changes?.["name"]]).toEqual([action, "Ben Baker", "Ben Baker"]);
      expect(await names(action)).toEqual(["Ben Baker"]);
    }
    const found = await client.audit.list({ query: { search: "ben baker", action: "user.suspend" } });
    expect(found.data).toHaveLength(1);
  });

  test("a renamed user by the old name, and are found by the new one", async () => {
    const { id } = await company.user("editor", { name: "Cy Cole" });
    await boss.client.companyUsers.update({ params: { id }, body: { name: "Cy Carter" } });
    const [row] = await rows("user.update");
    expect([row?.entityName, row?.changes?.["name"]]).toEqual(["Cy Carter", { from: "Cy Cole", to: "Cy Carter" }]);
  });

  test("teams, also those that are gone, categories, the company, access tokens and deleted SOPs", async () => {
    const { client } = boss;
    const team = await client.teams.create({ body: { name: "Bakery" } });
    await client.teams.addMember({ params: { id: team.id }, body: { userId: (await company.user("editor")).id } });
    const category = await client.categories.create({ body: { name: "Ovens", color: "primary" } });
    await client.categories.update({ params: { id: category.id }, body: { color: "accent" } });
    await client.company.update({ body: { settings: { reviewMonths: 7 } } });
    const sop = await client.sops.create({ body: { title: "Clean the oven", description: "D", markdown: "A\n" } });
    await client.sops.archive({ params: { id: sop.id }, body: {} });
    await client.sops.remove({ params: { id: sop.id } });
    expect(await names("team.member_add")).toEqual(["Bakery"]);
    expect(await names("category.update")).toEqual(["Ovens"]);
    expect(await names("company.update")).toEqual([(await client.company.get({})).name]);
    expect([await names("sop.archive"), await names("sop.delete")]).toEqual([["Clean the oven"], ["Clean the oven"]]);
    await client.teams.remove({ params: { id: team.id } });
    expect(await names("team.delete")).toEqual(["Bakery"]);
  });

  test("titles of SOPs only to people who can read them", async () => {
    const other = await server().company();
    const author = await other.user("company_admin");
    await author.client.sops.create({ body: { title: "Quiet", description: "D", markdown: "A\n" } });
    const root = await (await server().company()).user("system_admin");
    const query = { companyId: other.id, action: "sop.archive" };
    const [sop] = (await author.client.sops.list({ query: {} })).data;
    await author.client.sops.archive({ params: { id: sop?.id ?? "" }, body: {} });
    const { data } = await root.client.audit.adminList({ query });
    expect(data.map(({ entityName }) => entityName)).toEqual([null]);
  });

  test("no one once they are erased", async () => {
    const { id } = await company.user("editor", { name: "Dora Dahl" });
    await boss.client.companyUsers.update({ params: { id }, body: { status: "suspended" } });
    const erased = await chainAndFindRowNumbersOfUser(server().db, company.id, id);
    const how = {
      companyId: company.id,
      reason: "asked for",
      at: server().clock.now(),
      origin: { requestId: "r", ipAddress: "", userAgent: "" },
    };
    await redactRows(server().db, { ...how, rows: erased });
    const { data } = await boss.client.audit.list({ query: { entityId: id, entityType: "user" } });
    expect(data.map(({ entityName, changes }) => [entityName, changes])).toEqual(data.map(() => [null, null]));
    expect(data.length).toBeGreaterThan(0);
  });
});
