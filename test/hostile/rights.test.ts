/** Permissions that outlive their holder, their reason or their end. */
import { expect, test } from "vitest";
import { describeServer, password } from "../server.ts";

const hourMs = 3_600_000;

describeServer("rights at odds", (server) => {
  const text = { title: "T", description: "D", markdown: "M" };

  /** While `act` runs, each new transaction of the server first waits for this work of another server. */
  async function meeting<T>(meanwhile: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
    const { db } = server().running.services;
    const { transaction } = db;
    let done: Promise<unknown> | null = null;
    db.transaction = (async (work: never) => {
      await (done ??= meanwhile());
      return transaction.call(db, work);
    }) as typeof transaction;
    try {
      return await act();
    } finally {
      db.transaction = transaction;
    }
  }

  test("who was deleted comes back without the rights of before, and the log tells which they were", async () => {
    const company = await server().company();
    const [boss, user] = [await company.user("company_admin"), await company.user("viewer")];
    const params = { id: user.id };
    await boss.client.companyPermissions.set({ params, body: { permission: "company.settings", granted: true } });
    await boss.client.companyUsers.remove({ params });
    await boss.client.companyUsers.update({ params, body: { status: "active" } });
    expect((await boss.client.companyPermissions.list({ params })).permissions).toEqual([]);
    const { data } = await boss.client.audit.list({ query: { action: "user.delete", entityId: user.id } });
    expect(data[0]?.changes).toMatchObject({ permissions: { from: ["company.settings"], to: [] } });
  });

  test("shares nothing with a user or a team that was deleted", async () => {
    const company = await server().company();
    const [boss, leaver] = [await company.user("company_admin"), await company.user("viewer")];
    const params = { id: (await boss.client.sops.create({ body: text })).id };
    const team = await boss.client.teams.create({ body: { name: "Gone" } });
    const { db } = server();
    const share = meeting(
      () => db.collection("users").updateOne({ _id: leaver.id }, { $set: { status: "deleted" } }),
      () => boss.client.sops.grant({ params, body: { userId: leaver.id, permission: "edit" } }),
    );
    await expect(share).rejects.toMatchObject({ code: "invalid_input", details: { userId: expect.any(String) } });
    const shareAll = meeting(
      () => db.collection("teams").deleteOne({ _id: team.id }),
      () => boss.client.sops.grant({ params, body: { teamId: team.id, permission: "edit" } }),
    );
    await expect(shareAll).rejects.toMatchObject({ code: "invalid_input", details: { teamId: expect.any(String) } });
    expect((await boss.client.sops.permissions({ params })).permissions).toEqual([]);
  });

  test("a right for an hour does not end a denial for good", async () => {
    const company = await server().company();
    const [boss, editor] = [await company.user("company_admin"), await company.user("editor")];
    const target = { id: editor.id };
    const set = (granted: boolean, hours: number | null) =>
      boss.client.companyPermissions.set({
        params: target,
        body: {
          permission: "sop.create",
          granted,
          expiresAt: hours === null ? null : new Date(server().clock.millis() + hours * hourMs).toISOString(),
        },
      });
    await set(false, null);
    await expect(set(true, 1)).rejects.toMatchObject({ code: "conflict" });
    server().clock.advance(2 * hourMs);
    await expect(editor.client.sops.create({ body: text })).rejects.toMatchObject({ status: 403 });
    // without an end, or after the denial's end, the administrator's setting applies
    await boss.client.account.prove({ body: { currentPassword: password } });
    await set(true, null);
    await set(false, 1);
    await set(true, 3);
    await editor.client.sops.create({ body: text });
  });
});
