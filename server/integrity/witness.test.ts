/** The daily check of a repository is recorded, and its heads go to places outside. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emailsTo } from "../../test/emails.ts";
import { describeServer, type TestUser } from "../../test/server.ts";
import { recordVerification } from "./witness.ts";

const day = 24 * 3_600_000;

describeServer("the daily check of a repository", (server) => {
  const recorded = async ({ companyId }: Pick<TestUser, "companyId">) =>
    (await server().db.forCompany(companyId).collection("audit_logs").find({ action: "repository.verify" })).map(
      ({ changes }) => changes,
    );
  const verified = async (user: TestUser, witnessFile: string | null) => {
    const { db, clock, running } = server();
    const { companies, repositories } = running.services;
    await repositories.drain(user.companyId);
    const report = await repositories.verify(user.companyId);
    const slug = (await companies.get(user.companyId))?.slug ?? "";
    await recordVerification({ db, clock, config: { witnessFile } }, { _id: user.companyId, slug }, report);
    return report;
  };

  test("is in the audit log and in the file of the operator, once a day and when it changes", async () => {
    const user = await (await server().company()).user("manager");
    const file = path.join(server().dataDir, "outside", "heads.ndjson");
    const { head, events } = await verified(user, file);
    await verified(user, file);
    expect(await recorded(user)).toEqual([{ ok: true, events, ...head }]);
    const { db, clock } = server();
    const ledger = db.forCompany(user.companyId).collection("repo_events");
    await ledger.updateOne({ seq: 0 }, { $set: { authorName: "Mallory" } });
    await verified(user, file);
    expect(await recorded(user)).toContainEqual({
      ok: false,
      events,
      ...head,
      findings: [expect.stringMatching(/^event 0 makes /)],
    });
    await ledger.updateOne({ seq: 0 }, { $set: { authorName: "SOP Server" } });
    await verified(user, file);
    clock.advance(day);
    await verified(user, file);
    expect(await recorded(user)).toHaveLength(4);
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      [true, false, true, true].map((ok) => expect.objectContaining({ companyId: user.companyId, ok, ...head })),
    );
  });

  test("is emailed to the confirmed address that the company chose, and to no other", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const auditor = await company.user("viewer");
    const email = `auditor-${auditor.id}@example.org`;
    const choose = (witnessEmail: string | null) =>
      boss.client.company.update({ body: { settings: { witnessEmail } } });
    await expect(choose(email)).rejects.toMatchObject({
      code: "invalid_input",
      details: { "settings.witnessEmail": "Choose the confirmed address of an active user" },
    });
    const users = server().db.forCompany(company.id).collection("users");
    await users.updateOne({ _id: auditor.id }, { $set: { email, emailVerified: true } });
    expect((await choose(email)).settings.witnessEmail).toBe(email);
    const { head } = await verified(boss, null);
    const [sent = ""] = await emailsTo(server(), email);
    expect(sent).toContain(`sop verify clone --expect ${head.history}`);
    await users.updateOne({ _id: auditor.id }, { $set: { status: "suspended" } });
    server().clock.advance(day);
    await verified(boss, null);
    expect(await emailsTo(server(), email)).toHaveLength(1);
    expect((await choose(null)).settings.witnessEmail).toBeNull();
  });
});
