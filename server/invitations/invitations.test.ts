import { expect, test } from "vitest";
import { printedName } from "#core/users/printed-name.ts";
import { describeServer } from "../../test/server.ts";

describeServer("invitations", (server, engine) => {
  test("are listed with their outcome; the token is in the link alone", async () => {
    const company = await server().company();
    const boss = await company.user("company_admin");
    const { client, id: bossId } = boss;
    const { link, ...pending } = await client.invitations.create({
      body: { role: "editor", email: "new@lab.example" },
    });
    const token = new URL(link).searchParams.get("invite") ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(pending).toMatchObject({
      role: "editor",
      state: "pending",
      invitedByName: printedName(boss),
      email: "new@lab.example",
    });
    expect(Date.parse(pending.expiresAt) - Date.parse(pending.createdAt)).toBe(7 * 24 * 3_600_000);
    for (const collection of ["invitations", "outbox", "audit_logs", "events"] as const)
      expect(JSON.stringify(await server().db.collection(collection).find({}))).not.toContain(token);
    const revoked = await client.invitations.create({ body: {} });
    await client.invitations.revoke({ params: { id: revoked.id } });
    await expect(client.invitations.revoke({ params: { id: revoked.id } })).rejects.toMatchObject({ code: "conflict" });
    await client.invitations.create({ body: { expiresInDays: 1 } });
    const joined = await client.invitations.create({ body: { role: "reviewer" } });
    // who joins knows who asked them, on the page and in the email
    const page = await server().clientWith({}).auth.invitation({ query: { token } });
    expect(page).toMatchObject({ valid: true, invitedBy: printedName(boss) });
    const invite = new URL(joined.link).searchParams.get("invite") ?? "";
    const body = { username: `joiner-${engine}`, password: "a long walk to the river", name: "Jo Iner", invite };
    await server().clientWith({}).auth.register({ body });
    server().clock.advance(2 * 24 * 3_600_000);
    const { data } = await client.invitations.list();
    expect(data.map(({ state }) => state).sort()).toEqual(["expired", "pending", "revoked", "used"]);
    expect(data.find(({ state }) => state === "used")).toMatchObject({
      usedByName: `Jo Iner (joiner-${engine})`,
      role: "reviewer",
      invitedBy: bossId,
    });
    const first = await client.invitations.list({ query: { limit: 3, total: "true" } });
    expect(first.total).toBe(4);
    const rest = await client.invitations.list({ query: { limit: 3, cursor: first.nextCursor } });
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(4);
  });

  test("to one address replace each other, and end when their person joins by one of them", async () => {
    const company = await server().company();
    const { client } = await company.user("company_admin");
    const invite = (role: "viewer" | "reviewer", email: string) => client.invitations.create({ body: { role, email } });
    const states = async () =>
      (await client.invitations.list()).data.map(({ email, role, state }) => [email, role, state]).sort();
    const first = await invite("viewer", "ben@lab.example");
    expect(first.replaced).toBeUndefined();
    await invite("viewer", "cy@lab.example");
    const second = await invite("reviewer", "Ben@Lab.example");
    expect(second.replaced).toBe(true);
    expect(await states()).toEqual([
      ["ben@lab.example", "reviewer", "pending"],
      ["ben@lab.example", "viewer", "revoked"],
      ["cy@lab.example", "viewer", "pending"],
    ]);
    const revoked = await server()
      .db.collection("audit_logs")
      .find({ companyId: company.id, action: "invitation.revoke" });
    expect(revoked.map(({ entityId }) => entityId)).toEqual([first.id]);
    // a link of before this rule, which is still open
    await server()
      .db.collection("invitations")
      .updateOne({ companyId: company.id, key: first.id }, { $set: { revokedAt: null } });
    const token = new URL(second.link).searchParams.get("invite") ?? "";
    const body = { username: `ben-${engine}`, password: "a long walk to the river", name: "Ben Huber", invite: token };
    await server().clientWith({}).auth.register({ body });
    expect(await states()).toEqual([
      ["ben@lab.example", "reviewer", "used"],
      ["ben@lab.example", "viewer", "revoked"],
      ["cy@lab.example", "viewer", "pending"],
    ]);
  });

  test("replace none that their creator couldn't revoke", async () => {
    const company = await server().company();
    const [boss, admin] = [await company.user("company_admin"), await company.user("admin")];
    const email = "dee@lab.example";
    await boss.client.invitations.create({ body: { role: "admin", email } });
    expect((await admin.client.invitations.create({ body: { email } })).replaced).toBeUndefined();
    expect((await boss.client.invitations.list()).data.map(({ state }) => state)).toEqual(["pending", "pending"]);
  });

  test("give at most the inviter's permissions, for at most 30 days, in the inviter's company", async () => {
    const company = await server().company();
    const [boss, admin, manager] = [
      await company.user("company_admin"),
      await company.user("admin"),
      await company.user("manager"),
    ];
    await expect(admin.client.invitations.create({ body: { role: "company_admin" } })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(boss.client.invitations.create({ body: { role: "system_admin" } })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(manager.client.invitations.create({ body: {} })).rejects.toMatchObject({ code: "forbidden" });
    for (const expiresInDays of [0, 31, 1.5])
      await expect(boss.client.invitations.create({ body: { expiresInDays } })).rejects.toMatchObject({
        code: "invalid_input",
      });
    const { id } = await boss.client.invitations.create({ body: { role: "admin" } });
    const stranger = await (await server().company()).user("company_admin");
    await expect(stranger.client.invitations.revoke({ params: { id } })).rejects.toMatchObject({ code: "not_found" });
    expect((await stranger.client.invitations.list()).data).toEqual([]);
  });
});
