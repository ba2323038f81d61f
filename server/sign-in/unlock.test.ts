/** Auditors find each unlock of the operator in the log of the companies that it concerns. */
import { expect, test } from "vitest";
import { createLimiters } from "../http/limiters.ts";
import { describeServer, type Company } from "../../test/server.ts";
import { unlockAndRecord } from "./unlock.ts";

describeServer("unlocks by the operator", (server) => {
  const rows = async ({ id }: Company) =>
    (await server().db.forCompany(id).collection("audit_logs").find({ userAgent: "sop admin unlock" })).map(
      ({ action, entityType, entityId, userId, userName, changes, requestId }) => ({
        action,
        entity: [entityType, entityId],
        userId,
        userName,
        changes,
        requestId,
      }),
    );
  const signedInFrom = (company: Company, address: string) =>
    createLimiters(server().db, server().clock, []).signIn.rememberPlace(company.id, address);
  const row = (company: Company, changes: object) => ({
    action: "company.unlocked",
    entity: ["company", company.id],
    userId: null,
    userName: null,
    changes,
    requestId: "operator",
  });

  test("of a user are in the log of the user's company", async () => {
    const [company, other] = [await server().company(), await server().company()];
    const user = await company.user("editor");
    await unlockAndRecord(server().running.services, { username: user.username });
    // the operator is the actor, not the user
    expect(await rows(company)).toEqual([
      {
        action: "account.unlocked",
        entity: ["user", user.id],
        userId: null,
        userName: null,
        changes: null,
        requestId: "operator",
      },
    ]);
    expect(await rows(other)).toEqual([]);
  });

  test("of an address are in the logs of the companies there, and of the system administrators", async () => {
    const [here, elsewhere, system] = [await server().company(), await server().company(), await server().company()];
    await system.user("system_admin");
    await signedInFrom(here, "2001:db8:1:2::7");
    await signedInFrom(elsewhere, "198.51.100.9");
    await unlockAndRecord(server().running.services, { address: "2001:db8:1:2::9" });
    const changes = { address: "2001:db8:1:2::9" };
    expect(await rows(here)).toEqual([row(here, changes)]);
    expect(await rows(system)).toEqual([row(system, changes)]);
    expect(await rows(elsewhere)).toEqual([]);
  });

  test("of all users are in the log of each company", async () => {
    const companies = [await server().company(), await server().company()];
    const before = await server()
      .db.collection("companies")
      .countDocuments({ status: { $ne: "deleted" } });
    await unlockAndRecord(server().running.services, { everybody: "1" });
    for (const company of companies) expect(await rows(company)).toContainEqual(row(company, { users: "all" }));
    const all = await server().db.collection("audit_logs").find({ action: "company.unlocked", "changes.users": "all" });
    expect(all).toHaveLength(before);
  });

  test("are recorded before a counter goes, so none is without its row", async () => {
    const company = await server().company();
    const { db, clock } = server().running.services;
    const broken = new Proxy(db, {
      get: (target, name) =>
        name === "transaction" ? () => Promise.reject(new Error("no log")) : Reflect.get(target, name, target),
    });
    const address = "203.0.113.50";
    const limits = createLimiters(db, clock, []).signIn;
    const attempt = { username: "unknown-one", address, companyId: company.id, trusted: null };
    for (let n = 0; n < 6; n++) await limits.failed(attempt);
    for (const locked of [{ address }, { everybody: "1" as const }])
      await expect(unlockAndRecord({ db: broken, clock }, locked)).rejects.toThrow("no log");
    await expect(limits.check(attempt)).rejects.toMatchObject({ code: "rate_limited" });
  });
});
