import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isWellFormedToken } from "#core/tokens/text.ts";
import { createReferencesCheck } from "../integrity/references.ts";
import { checkAllShares } from "../integrity/report.ts";
import { describeServer, password, type TestServer } from "../../test/server.ts";

const day = 24 * 3_600_000;

describeServer("personal access tokens", (server) => {
  const manager = async () => (await server().company()).user("manager");
  const ask = (at: TestServer, token: string, path = "/api/sops") =>
    at.send({ path, headers: { authorization: `Bearer ${token}` } });

  test("are shown once, kept as a hash alone, and read by default", async () => {
    const user = await manager();
    const made = await user.client.tokens.create({ body: { name: "ci" } });
    expect(isWellFormedToken(made.token)).toBe(true);
    expect(made).toMatchObject({
      scopes: ["sops:read"],
      expiresAt: new Date(server().clock.millis() + 90 * day).toISOString(),
      lastUsedAt: null,
    });
    const listed = await user.send({ path: "/api/tokens" });
    expect(listed.body).not.toContain(made.token);
    const stored = await server().db.forCompany(user.companyId).collection("tokens").find({});
    expect(JSON.stringify(stored)).not.toContain(made.token.slice(12, -4));
    expect(stored[0]?.hash).toBe(createHash("sha256").update(made.token).digest("base64url"));
    const audit = await server()
      .db.forCompany(user.companyId)
      .collection("audit_logs")
      .find({ action: "token.create" });
    expect(audit.length).toBe(1);
    expect(JSON.stringify(audit)).not.toContain(made.token.slice(12, -4));
    expect((await ask(server(), made.token)).status).toBe(200);
    expect((await user.client.tokens.list())[0]?.lastUsedAt).toBe(server().clock.now());
  });

  test("ask for the password a quarter of an hour after the sign-in", async () => {
    const user = await manager();
    const create = () => user.client.tokens.create({ body: { name: "late" } });
    server().clock.advance(15 * 60_000 + 1);
    await expect(create()).rejects.toMatchObject({ status: 403, code: "proof_needed" });
    await user.client.account.prove({ body: { currentPassword: password } });
    expect(isWellFormedToken((await create()).token)).toBe(true);
    server().clock.advance(15 * 60_000 + 1);
    await expect(create()).rejects.toMatchObject({ status: 403, code: "proof_needed" });
  });

  test("that are lost are named, and none that were ended", async () => {
    const { db } = server();
    const company = await server().company();
    const [user, root] = [await company.user("manager"), await company.user("system_admin")];
    const other = await server().signUp();
    const lines = async () =>
      (await checkAllShares(createReferencesCheck(db))).findings.filter((line) => line.includes("the API token"));
    const revoked = await user.client.tokens.create({ body: { name: "revoked" } });
    const { id } = await user.client.tokens.create({ body: { name: "ci of line 7" } });
    await user.client.tokens.revoke({ params: { id: revoked.id } });
    await other.client.tokens.create({ body: { name: "theirs" } });
    expect(await lines()).toEqual([]);
    await db.collection("tokens").deleteOne({ _id: id });
    expect(await lines()).toEqual([`user ${user.id}: the API token ${id} named ci of line 7 is missing`]);
    await root.client.adminUsers.update({ params: { id: user.id }, body: { role: "editor" } });
    expect(await lines()).toEqual([]);
    for (const status of ["deleted", "active"] as const)
      await root.client.companies.update({ params: { id: other.companyId }, body: { status } });
    expect(await db.forCompany(other.companyId).collection("tokens").countDocuments({})).toBe(0);
    expect(await lines()).toEqual([]);
  });

  test("end at once when revoked, and on their last day", async () => {
    const user = await manager();
    const [one, two] = [
      await user.client.tokens.create({ body: { name: "a", expiresInDays: 1 } }),
      await user.client.tokens.create({ body: { name: "b" } }),
    ];
    server().clock.advance(day - 1);
    expect((await ask(server(), one.token)).status).toBe(200);
    server().clock.advance(1);
    const late = await ask(server(), one.token);
    expect([late.status, late.json()]).toMatchObject([
      401,
      { code: "unauthenticated", message: "The token has expired. Create a new one" },
    ]);
    const signedIn = server().clientWith({ authorization: `Bearer ${two.token}` });
    expect((await signedIn.tokens.list()).length).toBe(2);
    await expect(signedIn.tokens.revoke({ params: { id: two.id } })).rejects.toMatchObject({ status: 403 });
    await user.client.tokens.revoke({ params: { id: two.id } });
    expect((await ask(server(), two.token)).status).toBe(401);
  });

  test("are visible to their user alone, at most fifty", async () => {
    const company = await server().company();
    const [user, colleague] = [await company.user("manager"), await company.user("company_admin")];
    const { id } = await user.client.tokens.create({ body: { name: "mine" } });
    expect(await colleague.client.tokens.list()).toEqual([]);
    await expect(colleague.client.tokens.revoke({ params: { id } })).rejects.toMatchObject({ status: 404 });
    for (let n = 1; n < 50; n++) await user.client.tokens.create({ body: { name: `n${n}` } });
    await expect(user.client.tokens.create({ body: { name: "one more" } })).rejects.toMatchObject({
      code: "limit_reached",
    });
  });

  test("never allow more than their user can do", async () => {
    const viewer = await (await server().company()).user("viewer");
    const { token } = await viewer.client.tokens.create({
      body: { name: "all", scopes: ["sops:read", "sops:write", "admin"] },
    });
    const client = server().clientWith({ authorization: `Bearer ${token}` });
    await expect(client.sops.create({ body: { title: "T", description: "D", markdown: "M" } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test("are refused if invalid, before the database is read", async () => {
    const user = await manager();
    const { token } = await user.client.tokens.create({ body: { name: "a" } });
    const typo = token.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const header of [`Bearer ${typo}`, "Bearer x", "Basic dXNlcjpwYXNz", "Bearer", token]) {
      const answer = await server().send({
        path: "/api/sops",
        headers: { authorization: header, cookie: user.cookie },
      });
      expect([header, answer.status]).toEqual([header, 401]);
    }
  });
});
