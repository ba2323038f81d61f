import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import { newId } from "#core/ids.ts";
import { describeServer, json, password, startServer, type TestServer, type TestUser } from "../../test/server.ts";
import { hashOf } from "../http/secrets.ts";

async function invite(server: TestServer, by: TestUser, role: Role = "editor", email: string | null = null) {
  const token = randomBytes(32).toString("base64url");
  await server.db.collection("invitations").insertOne({
    _id: hashOf(token),
    companyId: by.companyId,
    key: newId(),
    role,
    email,
    invitedBy: by.id,
    invitedByName: by.name,
    createdAt: server.clock.now(),
    expiresAt: new Date(server.clock.millis() + 7 * 24 * 3_600_000).toISOString(),
    usedAt: null,
    usedBy: null,
    revokedAt: null,
  });
  return token;
}

let names = 0;
function join(server: TestServer, token: string, details: object = {}) {
  const form = { username: `invited-${++names}`, password, name: "In Vited", invite: token, ...details };
  return server.send({ method: "POST", path: "/api/auth/register", headers: json, body: JSON.stringify(form) });
}
const preview = async (server: TestServer, token: string) =>
  (await server.send({ path: `/api/auth/invitation?token=${token}` })).json();
const invalid = {
  valid: false,
  message: "This invitation is no longer valid",
  reason: { id: "server.sign-in.refusals.invalidInvitation", values: {} },
};

describeServer("registration by invitation", (server, engine) => {
  const admin = async () => (await server().company()).user("company_admin");

  test("joins the company with the role it names, once", async () => {
    const boss = await admin();
    const token = await invite(server(), boss, "reviewer", "new@example.org");
    const company = (await boss.client.auth.me()).user.company.name;
    expect(await preview(server(), token)).toEqual({
      valid: true,
      message: `You are invited to join ${company}`,
      reason: { id: "server.sign-in.invited", values: { company } },
      company,
      role: "reviewer",
      email: "new@example.org",
      invitedBy: boss.name,
    });
    const answer = await join(server(), token);
    expect([answer.status, answer.json()]).toMatchObject([
      201,
      { user: { role: "reviewer", companyId: boss.companyId, email: "new@example.org" } },
    ]);
    expect(await preview(server(), token)).toEqual(invalid);
    const again = await join(server(), token);
    expect([again.status, again.json()]).toMatchObject([403, { message: invalid.message }]);
    expect(await server().db.collection("users").countDocuments({ companyId: boss.companyId })).toBe(2);
  });

  test("accepts one of many that use the same invitation at once, and the others create nothing", async () => {
    const boss = await admin();
    const token = await invite(server(), boss);
    const companies = await server().db.collection("companies").countDocuments({});
    const answers = await Promise.all(Array.from({ length: 10 }, () => join(server(), token)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(await server().db.collection("users").countDocuments({ companyId: boss.companyId })).toBe(2);
    expect((await server().db.collection("companies").findOne({ _id: boss.companyId }))?.userCount).toBe(2);
    expect(await server().db.collection("companies").countDocuments({})).toBe(companies);
  });

  test("is refused when revoked, expired, or created by a user who can't invite; and can't exceed the quota", async () => {
    await server().db.collection("limiters").deleteMany({});
    const boss = await admin();
    const expectVoid = async (token: string) => {
      expect(await preview(server(), token)).toEqual(invalid);
      expect((await join(server(), token)).status).toBe(403);
    };
    await expectVoid("unknown");
    const revoked = await invite(server(), boss);
    await server()
      .db.collection("invitations")
      .updateOne({ _id: hashOf(revoked) }, { $set: { revokedAt: server().clock.now() } });
    await expectVoid(revoked);
    // an administrator could never make one of these
    await expectVoid(await invite(server(), boss, "company_admin"));
    const byFormer = await invite(server(), boss);
    await server()
      .db.collection("users")
      .updateOne({ _id: boss.id }, { $set: { status: "suspended" } });
    await expectVoid(byFormer);
    const small = await (await server().company({ maxUsers: 1 })).user("company_admin");
    const full = await join(server(), await invite(server(), small));
    expect([full.status, full.json()]).toMatchObject([409, { code: "limit_reached" }]);
    const late = await invite(server(), await admin());
    server().clock.advance(7 * 24 * 3_600_000);
    await expectVoid(late);
  });

  test("works if registration is by invitation, and not if it is closed", async () => {
    for (const [registration, status] of [
      ["invite", 201],
      ["closed", 403],
    ] as const) {
      const own = await startServer(engine, { env: { REGISTRATION: registration } });
      try {
        const boss = await (await own.company()).user("company_admin");
        const token = await invite(own, boss);
        expect(await preview(own, token)).toMatchObject({ valid: status === 201 });
        expect([registration, (await join(own, token)).status]).toEqual([registration, status]);
        const without = JSON.stringify({ username: "stranger", password, name: "Stran Ger" });
        const request = { method: "POST", path: "/api/auth/register", headers: json, body: without };
        expect((await own.send(request)).status).toBe(403);
      } finally {
        await own.stop();
      }
    }
  });
});
