import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer, json, type Company, type TestUser } from "../../test/server.ts";
import { createDenials, denialsAMinute } from "./denials.ts";

describeServer("refusals", (current) => {
  let company: Company;
  let boss: TestUser;

  beforeAll(async () => {
    company = await current().company();
    boss = await company.user("company_admin");
  });

  const denied = async (query: object, atLeast = 1) => {
    await expect
      .poll(async () => (await boss.client.audit.list({ query: { action: "access.denied", ...query } })).data.length)
      .toBeGreaterThanOrEqual(atLeast);
    return (await boss.client.audit.list({ query: { action: "access.denied", ...query } })).data;
  };

  test("are recorded for forbidden actions and for writes to missing records", async () => {
    const viewer = await company.user("viewer");
    const id = randomUUID();
    expect((await viewer.send({ path: "/api/company/audit" })).status).toBe(403);
    const body = { headers: json, body: JSON.stringify({}) };
    expect((await viewer.send({ method: "PUT", path: `/api/sops/${id}`, ...body })).status).toBe(404);
    expect((await viewer.send({ path: `/api/sops/${id}` })).status).toBe(404);
    const rows = await denied({ userId: viewer.id }, 2);
    expect(rows.toSorted((a, b) => (a.entityType < b.entityType ? -1 : 1))).toMatchObject([
      { entityType: "audit", entityId: null, changes: { call: "audit.list", status: 403 } },
      {
        entityType: "sops",
        entityId: id,
        userName: printedName(viewer),
        changes: { call: "sops.update", status: 404 },
      },
    ]);
  });

  test("are recorded for a known user who is no longer let in", async () => {
    const gone = await company.user("editor");
    await current()
      .db.collection("users")
      .updateOne({ _id: gone.id }, { $set: { status: "suspended" } });
    expect((await gone.send({ path: "/api/sops" })).status).toBe(401);
    expect(await denied({ userId: gone.id })).toMatchObject([{ changes: { call: "sops.list", status: 401 } }]);
  });

  test("are counted in a flood, not recorded one by one", async () => {
    const { db, clock, log } = current().running.services;
    const { id } = await current().company();
    const denials = createDenials(db, clock, log, 3_600_000);
    const by = { companyId: id, userId: "flooder", userName: null };
    const origin = { requestId: randomUUID(), ipAddress: null, userAgent: null };
    for (let n = 0; n < 500; n++)
      denials.note({ by, call: "sops.update", entityId: null, status: 403, code: "forbidden", origin });
    await denials.close();
    const rows = await db.forCompany(id).collection("audit_logs").find({ userId: "flooder" });
    expect(rows).toHaveLength(denialsAMinute + 1);
    expect(rows.find(({ action }) => action === "access.denied_more")?.changes).toEqual({
      count: 500 - denialsAMinute,
    });
  });
});
