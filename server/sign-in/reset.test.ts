import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { recordFigure } from "../../test/proof.ts";
import { describeServer, json, password, type TestServer, type TestUser } from "../../test/server.ts";
import { issuePasswordReset } from "./issue-reset.ts";

const fresh = "another walk along the sea";

describeServer(
  "reset links",
  (server, engine) => {
    const post = (path: string, body: object) =>
      server().send({ method: "POST", path, headers: json, body: JSON.stringify(body) });
    const forgot = (email: string) => post("/api/auth/forgot-password", { email });
    const reset = (token: string, secret = fresh) => post("/api/auth/reset-password", { token, password: secret });
    const stateOf = async (token: string) =>
      (await server().send({ path: `/api/auth/validate-reset-token?token=${token}` })).json();
    const valid = {
      valid: true,
      message: "The reset link is valid",
      reason: { id: "server.sign-in.validResetLink", values: {} },
    };
    const invalid = {
      valid: false,
      message: "Invalid or expired reset link",
      reason: { id: "server.sign-in.refusals.invalidResetLink", values: {} },
    };

    async function withEmail(email: string, emailVerified = false): Promise<TestUser> {
      const user = await (await server().company()).user("editor");
      await server().db.collection("users").updateOne({ _id: user.id }, { $set: { email, emailVerified } });
      return user;
    }
    const tokenFor = async (email: string) => {
      expect((await forgot(email)).status).toBe(200);
      return linkIn((await mailsTo(server(), email, 1))[0] ?? "");
    };
    const actionsOf = async (user: TestUser) =>
      (await server().db.forCompany(user.companyId).collection("audit_logs").find({ entityId: user.id })).map(
        ({ action }) => action,
      );

    test("are emailed to the user of an address, and the answer is the same for an unknown one", async () => {
      const user = await withEmail("ada@example.org", true);
      const known = await forgot("Ada@Example.org");
      const unknown = await forgot("nobody@example.org");
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
      expect(known.json()).toEqual({
        ok: true,
        reason: { id: "server.sign-in.linkSent", values: {} },
        message: "If an account exists with this email address, a reset link has been sent. It is valid for 1 hour.",
      });
      const [mail = ""] = await mailsTo(server(), "ada@example.org", 1);
      expect(mail).toContain(user.username);
      const token = linkIn(mail);
      expect(await stateOf(token)).toEqual(valid);
      // neither the request's note nor the link's record holds what opens the account
      const { db } = server();
      const stored = [await db.collection("outbox").find({}), await db.collection("password_resets").find({})];
      expect(JSON.stringify(stored)).not.toContain(token);
      expect(await actionsOf(user)).toEqual(["account.password_forgotten"]);
    });

    test("set the password once; earlier sessions and tokens end", async () => {
      const user = await withEmail("grace@example.org");
      const { token: pat } = await user.client.tokens.create({ body: { name: "ci" } });
      const token = await tokenFor("grace@example.org");
      expect((await reset(token, "short")).json()).toMatchObject({ details: { password: expect.any(String) } });
      expect((await reset(token, "x".repeat(129))).status).toBe(400);
      expect((await reset(token)).json()).toEqual({ ok: true });
      expect((await user.send({ path: "/api/auth/me" })).status).toBe(401);
      const byToken = await server().send({ path: "/api/sops", headers: { authorization: `Bearer ${pat}` } });
      expect(byToken.status).toBe(401);
      expect((await server().signIn(user.username, password)).status).toBe(401);
      expect((await server().signIn(user.username, fresh)).status).toBe(200);
      const again = await reset(token, "yet another walk");
      expect([again.status, again.json()]).toMatchObject([400, { message: "Invalid or expired reset link" }]);
      expect(await stateOf(token)).toEqual(invalid);
      const stored = await server().db.collection("users").findOne({ _id: user.id });
      expect(stored).toMatchObject({ emailVerified: true, passwordChangedAt: server().clock.now() });
      expect(await actionsOf(user)).toContain("account.password_reset");
      const [notice] = await mailsTo(server(), "grace@example.org", 1, "Your password was changed");
      expect(notice).not.toContain(fresh);
    });

    test("work for one of fifty simultaneous uses", { timeout: 60_000 }, async () => {
      const user = await withEmail("race@example.org");
      const token = await tokenFor("race@example.org");
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => ({ n, status: (await reset(token, `my own secret ${n}`)).status })),
      );
      const winners = answers.filter(({ status }) => status === 200);
      recordFigure({ name: `reset.winners.${engine}`, value: winners.length, unit: "of 50 at once", goal: "= 1" });
      expect(winners.length).toBe(1);
      expect(answers.filter(({ status }) => ![200, 400, 503].includes(status))).toEqual([]);
      expect((await server().signIn(user.username, `my own secret ${winners[0]?.n}`)).status).toBe(200);
    });

    test("reach the owner of an address, even if others created accounts with it", async () => {
      await server().db.collection("limiters").deleteMany({});
      const crowd = await Promise.all(Array.from({ length: 5 }, () => withEmail("crowded@example.org")));
      const owner = await withEmail("crowded@example.org", true);
      await forgot("crowded@example.org");
      await mailsTo(server(), "crowded@example.org", crowd.length);
      const links = await server().db.collection("password_resets").find({ userId: owner.id });
      expect(links.length).toBe(1);
    });

    test("work only as the newest one, for an hour, and for active people", async () => {
      await server().db.collection("limiters").deleteMany({});
      const user = await withEmail("lin@example.org");
      const older = await tokenFor("lin@example.org");
      await rm(path.join(server().dataDir, "mail"), { recursive: true });
      const newer = await tokenFor("lin@example.org");
      expect([await stateOf(older), await stateOf(newer)]).toEqual([invalid, valid]);
      expect((await reset(older)).status).toBe(400);
      const users = server().db.collection("users");
      await users.updateOne({ _id: user.id }, { $set: { status: "suspended" } });
      expect([await stateOf(newer), (await reset(newer)).status]).toEqual([invalid, 400]);
      await users.updateOne({ _id: user.id }, { $set: { status: "active" } });
      const companies = server().db.collection("companies");
      await companies.updateOne({ _id: user.companyId }, { $set: { status: "suspended" } });
      expect([await stateOf(newer), (await reset(newer)).status]).toEqual([invalid, 400]);
      await companies.updateOne({ _id: user.companyId }, { $set: { status: "active" } });
      server().clock.advance(3_599_000);
      expect(await stateOf(newer)).toEqual(valid);
      server().clock.advance(1_000);
      expect([await stateOf(newer), (await reset(newer)).status]).toEqual([invalid, 400]);
      expect(await stateOf("")).toMatchObject({ valid: false, message: "Invalid reset link" });
      expect((await server().send({ path: "/api/auth/validate-reset-token" })).json()).toEqual(await stateOf(""));
    });

    test("go to each account that shares an address, one each", async () => {
      const both = [await withEmail("shared@example.org", true), await withEmail("shared@example.org", true)];
      await forgot("shared@example.org");
      const mails = await mailsTo(server(), "shared@example.org", 2);
      for (const user of both) expect(mails.filter((mail) => mail.includes(user.username)).length).toBe(1);
    });

    test("are limited for each mailbox, and the answer stays the same", async () => {
      await server().db.collection("limiters").deleteMany({});
      await withEmail("flood@example.org");
      const answers = await Promise.all(Array.from({ length: 12 }, () => forgot("flood@example.org")));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
      const noted = await server().db.collection("outbox").find({ kind: "password-forgotten" });
      expect(noted.filter(({ payload }) => payload["email"] === "flood@example.org").length).toBe(5);
    });

    test("can be handed over to users without an address", async () => {
      const user = await (await server().company()).user("viewer");
      const { db, clock } = server();
      const stored = await db.collection("users").findOne({ _id: user.id });
      if (!stored) throw new Error("the user was made");
      const url = "https://sop.example.org";
      const issued = await db.transaction((tx) =>
        issuePasswordReset(tx, server().running.services.keys, { user: stored, at: clock.now(), url }),
      );
      expect(issued).toMatchObject({ sent: false });
      expect(issued.link).toMatch(/^https:\/\/sop\.example\.org\/reset-password\?token=[\w-]{43}$/);
      expect(await stateOf(linkIn(issued.link ?? ""))).toEqual(valid);
      expect((await reset(linkIn(issued.link ?? ""))).status).toBe(200);
    });

    test("respect a company's longer minimum for passwords", async () => {
      const user = await withEmail("long@example.org");
      const token = await tokenFor("long@example.org");
      await server()
        .db.collection("companies")
        .updateOne({ _id: user.companyId }, { $set: { "settings.passwordMinimum": 20 } });
      server().running.services.companies.forget(user.companyId);
      expect((await reset(token, "nineteen characters")).json()).toMatchObject({
        details: { password: "Password must be at least 20 characters long" },
      });
      expect((await user.send({ path: "/api/auth/check" })).json()).toMatchObject({ passwordMinimum: 20 });
      expect((await reset(token)).status).toBe(200);
    });
  },
  { sendsEmail: true },
);

function linkIn(text: string): string {
  return /reset-password\?token=([\w-]{43})/.exec(text)?.[1] ?? "";
}

/** The mails that were sent to this address, once there are so many. */
async function mailsTo(server: TestServer, email: string, count: number, subject = "Set a new password") {
  const dir = path.join(server.dataDir, "mail");
  for (;;) {
    const files = await readdir(dir).catch(() => []);
    const texts = await Promise.all(files.sort().map((file) => readFile(path.join(dir, file), "utf8").catch(() => "")));
    const found = texts.filter((text) => text.includes(`To: ${email}`) && text.includes(`Subject: ${subject}`));
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
