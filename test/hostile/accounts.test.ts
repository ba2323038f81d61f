/** Access that ended during a request, guesses from a stolen session, and emails at another person's cost. */
import { request } from "node:http";
import { expect, test } from "vitest";
import type { UserDocument } from "../../server/database/documents.ts";
import type { Values } from "../../server/database/port.ts";
import { createLimiters } from "../../server/http/limiters.ts";
import { issuePasswordReset, createResetMailHandler } from "../../server/sign-in/issue-reset.ts";
import { findOpenReset } from "../../server/sign-in/reset.ts";
import type { Mail } from "../../server/mail/compose.ts";
import { describeServer, json, password, type TestServer, type TestUser } from "../server.ts";

const fresh = "another walk along the sea";

describeServer(
  "accounts at odds",
  (server, engine) => {
    const users = () => server().db.collection("users");
    const suspend = (admin: TestUser, { id }: TestUser) =>
      admin.client.companyUsers.update({ params: { id }, body: { status: "suspended" } });

    /** Writes to the database directly, as another server would: calls to this server might wait for each other. */
    const put = (user: TestUser, set: Values<UserDocument>) => users().updateOne({ _id: user.id }, { $set: set });
    const end = (user: TestUser) => put(user, { status: "suspended", sessionVersion: 99 });

    /** Runs this first when the server's next transaction is about to begin. */
    function beforeNextTransaction(meanwhile: () => Promise<unknown>): void {
      const { db } = server().running.services;
      const { transaction } = db;
      let done: Promise<unknown> | null = null;
      db.transaction = (async (work: never) => {
        done ??= meanwhile();
        await done;
        db.transaction = transaction;
        return transaction.call(db, work);
      }) as typeof transaction;
    }

    test("who lost the access while the body was on its way is refused", async () => {
      const company = await server().company();
      const [admin, user] = [await company.user("company_admin"), await company.user("editor")];
      const cases: [string, string, object][] = [
        ["PUT", "/api/auth/me", { email: "thief@example.org" }],
        ["PUT", "/api/user/settings", { aiFeaturesEnabled: false }],
        ["POST", "/api/sops", { title: "T", description: "D", markdown: "M" }],
        ["POST", "/api/assets", {}],
      ];
      const waiting = await Promise.all(
        cases.map(([method, path, body]) => slowly(server(), { method, path, cookie: user.cookie, body })),
      );
      await suspend(admin, user);
      for (const [at, finish] of waiting.entries())
        expect([cases[at]?.[1], await finish()]).toEqual([cases[at]?.[1], 401]);
      expect(await users().findOne({ _id: user.id })).toMatchObject({ email: null, aiFeaturesEnabled: true });
      expect(await server().db.forCompany(user.companyId).collection("sops").countDocuments({})).toBe(0);
    });

    test("an address is not changed by who was signed out between the proof and the write", async () => {
      const user = await (await server().company()).user("editor");
      beforeNextTransaction(() => end(user));
      const change = user.client.account.update({ body: { email: "thief@example.org" } });
      await expect(change).rejects.toMatchObject({ status: 401 });
      expect((await users().findOne({ _id: user.id }))?.email).toBeNull();
    });

    test("a profile that is saved does not bring back the address that an administrator just took out of use", async () => {
      const user = await (await server().company()).user("editor");
      await put(user, { email: "taken-over@example.org" });
      beforeNextTransaction(() => put(user, { email: "safe@example.org" }));
      await user.client.account.update({ body: { title: "Head of everything" } });
      expect(await users().findOne({ _id: user.id })).toMatchObject({
        email: "safe@example.org",
        title: "Head of everything",
      });
    });

    test("refuses an invitation whose inviter was suspended since", async () => {
      const admin = await (await server().company()).user("admin");
      const { link } = await admin.client.invitations.create({ body: { role: "manager" } });
      beforeNextTransaction(() => end(admin));
      const form = {
        username: `late-${engine}`,
        password,
        name: "Too Late",
        invite: new URL(link).searchParams.get("invite"),
      };
      const answer = await server().send({
        method: "POST",
        path: "/api/auth/register",
        headers: json,
        body: JSON.stringify(form),
      });
      expect([answer.status, await users().countDocuments({ username: form.username })]).toEqual([403, 0]);
    });

    test("rights are not given by who lost the own ones a moment before", async () => {
      const company = await server().company();
      const [leader, friend] = [await company.user("company_admin"), await company.user("viewer")];
      beforeNextTransaction(() => put(leader, { role: "viewer", sessionVersion: 99 }));
      const give = leader.client.companyPermissions.set({
        params: { id: friend.id },
        body: { permission: "audit.read", granted: true },
      });
      await expect(give).rejects.toMatchObject({ status: 401 });
      expect((await users().findOne({ _id: friend.id }))?.permissions).toEqual([]);
    });

    test("a link that was mailed to an address opens nothing once the account has another one", async () => {
      const { db, clock } = server();
      const user = await (await server().company()).user("editor");
      await put(user, { email: "old@example.org" });
      const mails: Mail[] = [];
      const services = server().running.services;
      const handle = createResetMailHandler(services, async (mail) => void mails.push(mail));
      const ordered = { user: { _id: user.id, companyId: user.companyId, email: "old@example.org" }, at: clock.now() };
      await db.transaction((tx) => issuePasswordReset(tx, services.keys, { ...ordered, url: server().url }));
      const outbox = db.collection("outbox");
      const item = await outbox.findOne({ kind: "password-reset", "payload.userId": user.id });
      if (!item) throw new Error("nothing was ordered");
      const { signal } = new AbortController();
      await handle(item, signal);
      const token = /token=([\w-]{43})/.exec(mails[0]?.text ?? "")?.[1] ?? "";
      expect(await findOpenReset(db, token, clock.now())).not.toBeNull();
      await put(user, { email: "new@example.org" });
      await handle(item, signal);
      expect([mails.length, await findOpenReset(db, token, clock.now())]).toEqual([1, null]);
    });

    test("a stream that a token opened ends when the token expires", async () => {
      const company = await server().company();
      const [user, other] = [await company.user("viewer"), await company.user("editor")];
      const { token } = await user.client.tokens.create({ body: { name: "day", expiresInDays: 1 } });
      const stream = await fetch(`${server().url}/api/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(3_000),
      });
      server().clock.advance(24 * 3_600_000);
      // an event, so that the server checks all streams
      await put(other, { title: "x" });
      expect(await stream.text()).toBe(": connected\n\n");
    });

    test("a user who signed up can't flood a mailbox", async () => {
      const boss = await (await server().company()).user("company_admin");
      const post = async (path: string, body: object, method = "POST") =>
        (await boss.send({ method, path, headers: json, body: JSON.stringify(body) })).status;
      const victim = "victim@example.org";
      await put(boss, { email: "boss@example.org", emailVerified: true });
      const invited: number[] = [];
      for (let n = 0; n < 12; n++) invited.push(await post("/api/company/invitations", { email: victim }));
      expect(invited).toEqual([...Array<number>(10).fill(201), 429, 429]);
      // the limit holds for all ways: another company, the own address, a new user
      expect(await post("/api/company/users", { username: `v-${engine}`, name: "Vi", email: victim })).toBe(429);
      expect(await post("/api/auth/me", { email: "Victim@example.org" }, "PUT")).toBe(429);
      const joining = { username: `w-${engine}`, password, name: "Wi", email: victim };
      expect(
        (
          await server().send({
            method: "POST",
            path: "/api/auth/register",
            headers: json,
            body: JSON.stringify(joining),
          })
        ).status,
      ).toBe(429);
      // emails to an account's own address have a limit too
      await put(boss, { email: victim });
      const made: number[] = [];
      for (let n = 0; n < 22; n++) made.push(await post("/api/tokens", { name: `buy this ${n}` }));
      expect(made).toEqual([...Array<number>(20).fill(201), 429, 429]);
      server().clock.advance(3_600_001);
      await boss.client.account.prove({ body: { currentPassword: password } });
      expect(await post("/api/company/invitations", { email: victim })).toBe(201);
    });
  },
  { sendsEmail: true },
);

describeServer(
  "guesses from many addresses",
  (server) => {
    test("by a stolen session, or in a browser that is known, wait after five too", async () => {
      const user = await (await server().company()).user("manager");
      const { passwords } = server().running.services;
      const { verify } = passwords;
      passwords.verify = async () => false;
      try {
        const guess = async (n: number) => {
          const answer = await user.send({
            method: "POST",
            path: "/api/auth/change-password",
            headers: { ...json, "x-forwarded-for": `10.0.0.${n}` },
            body: JSON.stringify({ currentPassword: `guess ${n}`, newPassword: fresh }),
          });
          return answer.status;
        };
        const statuses: number[] = [];
        for (let n = 0; n < 7; n++) statuses.push(await guess(n));
        expect(statuses).toEqual([...Array<number>(5).fill(400), 429, 429]);
      } finally {
        passwords.verify = verify;
      }
      const { signIn } = createLimiters(server().db, server().clock, []);
      const { username, companyId } = user;
      const known = (n: number) => ({ username, companyId, address: `10.1.0.${n}`, trusted: "device a" });
      for (let n = 0; n < 5; n++) {
        await signIn.check(known(n));
        await signIn.failed(known(n));
      }
      await expect(signIn.check(known(99))).rejects.toMatchObject({ code: "rate_limited" });
      // another browser, and one without a trusted device, is not locked out
      await expect(signIn.check({ ...known(99), trusted: "device b" })).resolves.toBeDefined();
      await expect(signIn.check({ ...known(99), trusted: null })).resolves.toBeDefined();
    });
  },
  { env: { TRUSTED_PROXIES: "1" } },
);

/** Sends all but the end of a body. @returns a function that sends the end and returns the status */
async function slowly(
  server: TestServer,
  { method, path, cookie, body }: { method: string; path: string; cookie: string; body: object },
): Promise<() => Promise<number>> {
  const text = JSON.stringify(body);
  const { hostname, port, origin } = new URL(server.url);
  const headers = { ...json, cookie, origin, "content-length": String(text.length) };
  const outgoing = request({ host: hostname, port, method, path, headers });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on("response", (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on("error", reject);
  });
  const identified = server.db.collection("sessions");
  outgoing.write(text.slice(0, -1));
  // the server has identified the user, and waits for the rest
  await new Promise((resolve) => outgoing.once("socket", (socket) => socket.once("connect", resolve)));
  await identified.countDocuments({});
  await new Promise((resolve) => setTimeout(resolve, 100));
  return () => {
    outgoing.end(text.slice(-1));
    return answered;
  };
}
