import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { describeServer, json, password, type TestUser } from "../../test/server.ts";
import { databaseCounters } from "../http/limit-counters.ts";
import { createLimiters, network, type NameCaller } from "../http/limiters.ts";

const silent = { error: () => undefined };
const address = "10.0.0.1";

/** One proxy is trusted, so that a test can come from any address. */
const behindProxy = { env: { TRUSTED_PROXIES: "1" } };

describeServer(
  "limits on signing in",
  (server) => {
    const account = async (): Promise<TestUser> => (await server().company()).user("manager");
    const signIn = (username: string, secret: string, from: string, cookie = "") =>
      server().send({
        method: "POST",
        path: "/api/auth/login",
        headers: { ...json, "x-forwarded-for": from, ...(cookie ? { cookie } : {}) },
        body: JSON.stringify({ username, password: secret }),
      });
    const limiters = () => createLimiters(server().db, server().clock, silent);
    const fail = async (times: number, attempt: (n: number) => { username: string; address: string }) => {
      for (let n = 0; n < times; n++) await limiters().signInFailed({ ...attempt(n), trusted: null });
    };

    test("never count right passwords, however many come at once", async () => {
      const user = await account();
      const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(user.username, password, address)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    });

    test("block a name after fifty failures from anywhere, but not in a browser it has signed in with", async () => {
      const user = await account();
      const before = await signIn(user.username, password, address);
      const device = before.headers.all("set-cookie").find((cookie) => cookie.startsWith("device=")) ?? "";
      expect(device).toMatch(/^device=[\w-]{43}; path=\/; expires=[^;]+ 2027 [^;]+; samesite=lax; httponly$/i);
      const cookie = device.split(";")[0] ?? "";
      const [stored] = await server().db.collection("known_devices").find({ userId: user.id });
      expect(cookie).not.toContain(stored?._id);
      await fail(49, (n) => ({ username: user.username, address: `10.1.0.${n}` }));
      expect((await signIn(user.username, "wrong", "10.2.0.1")).status).toBe(401);
      const braked = await signIn(user.username, password, "10.2.0.2");
      expect([braked.status, braked.headers.get("retry-after")]).toEqual([429, "3600"]);
      expect((await signIn(user.username, password, "10.2.0.2", cookie)).status).toBe(200);
      // another user's browser is a stranger
      const other = await account();
      await fail(50, (n) => ({ username: other.username, address: `10.3.0.${n}` }));
      expect((await signIn(other.username, password, "10.2.0.2", cookie)).status).toBe(429);
      expect((await signIn(user.username, password, "10.2.0.2", "device=planted")).status).toBe(429);
      server().clock.advance(3_600_001);
      expect((await signIn(other.username, password, "10.2.0.2")).status).toBe(200);
    });

    test("block an address after a hundred failures for a day, and the /64 of an IPv6 customer", async () => {
      const user = await account();
      await fail(100, (n) => ({ username: `nobody-${n}`, address: `2001:db8:0:7::${n}` }));
      const braked = await signIn(user.username, password, "2001:db8:0:7:ffff::1");
      expect([braked.status, braked.headers.get("retry-after")]).toEqual([429, String(24 * 3600)]);
      expect((await signIn(user.username, password, "2001:db8:0:8::1")).status).toBe(200);
      // a hundred times the work of a password, on a machine that may have other work
    }, 120_000);

    test("treat known names, unknown names, suspended people and suspended companies alike", async () => {
      const [user, suspended] = [await account(), await account()];
      await server()
        .db.collection("users")
        .updateOne({ _id: suspended.id }, { $set: { status: "suspended" } });
      const bodies = [
        await signIn(user.username, "wrong", "10.4.0.1"),
        await signIn("nobody-at-all", "wrong", "10.4.0.1"),
        await signIn(suspended.username, password, "10.4.0.1"),
      ].map(({ status, body }) => [status, body]);
      expect(new Set(bodies.map(String)).size).toBe(1);
      const actions = async ({ id }: TestUser) =>
        (await server().db.collection("audit_logs").find({ entityId: id })).map(({ action }) => action);
      expect([await actions(user), await actions(suspended)]).toEqual([
        ["account.sign_in_failed"],
        ["account.sign_in_denied"],
      ]);
    });

    test("record a blocked name in the audit log once, not at each attempt", async () => {
      const user = await account();
      for (let n = 0; n < 9; n++) await signIn(user.username, "wrong", "10.5.0.1");
      const rows = await server().db.collection("audit_logs").find({ entityId: user.id });
      const count = (wanted: string) => rows.filter(({ action }) => action === wanted).length;
      expect([count("account.sign_in_failed"), count("account.sign_in_limited")]).toEqual([5, 1]);
    });

    test("cost the same work for an unknown name as for a known one", async () => {
      const { passwords } = server().running.services;
      let verified = 0;
      const verify = passwords.verify.bind(passwords);
      passwords.verify = (stored, secret) => {
        verified++;
        return verify(stored, secret);
      };
      await signIn((await account()).username, "wrong", "10.6.0.1");
      await signIn("nobody-of-that-name", "wrong", "10.6.0.1");
      passwords.verify = verify;
      expect(verified).toBe(2);
    });

    test("count both of two simultaneous first attempts", async () => {
      const own = server().db.collection("limiters");
      let raced = false;
      const racing: typeof own = {
        ...own,
        async insertOne(document) {
          if (!raced) await own.insertOne(document);
          raced = true;
          await own.insertOne(document);
        },
      };
      const counters = databaseCounters({ collection: () => racing } as never, server().clock);
      expect([(await counters.add("raced", 60)).points, (await counters.add("raced", 60)).points]).toEqual([2, 3]);
    });

    test("count simultaneous attempts one by one", async () => {
      const counters = databaseCounters(server().db, server().clock);
      for (let round = 0; round < 5; round++) {
        const counts = await Promise.all(Array.from({ length: 12 }, () => counters.add(`at once ${round}`, 60)));
        const points = counts.map((count) => count.points).sort((a, b) => a - b);
        expect(points).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
      }
    });

    test("renew a hash of older parameters at the next sign-in", async () => {
      const user = await account();
      const users = server().db.collection("users");
      const old = await hash(password, { algorithm: 2, memoryCost: 8192, timeCost: 1, parallelism: 1 });
      await users.updateOne({ _id: user.id }, { $set: { password: old } });
      expect((await signIn(user.username, password, "10.7.0.1")).status).toBe(200);
      const renewed = await users.findOne({ _id: user.id });
      expect(renewed?.password).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
      expect((await signIn(user.username, password, "10.7.0.1")).status).toBe(200);
      expect((await users.findOne({ _id: user.id }))?.password).toBe(renewed?.password);
      // it is no change of the password: the other session goes on
      expect((await user.send({ path: "/api/auth/me" })).status).toBe(200);
    });
  },
  behindProxy,
);

describeServer(
  "answers that a name is taken",
  (server) => {
    const limiters = () => createLimiters(server().db, server().clock, silent);
    let networks = 0;
    const elsewhere = () => `10.20.${++networks}.1`;
    const refused = () => Promise.reject(new AppError("conflict", "taken", { username: "taken" }));
    const ask = (asker: NameCaller, work: () => Promise<unknown> = refused) =>
      limiters()
        .takeName(asker, work)
        .then(
          () => "free",
          (error: AppError) => error.code,
        );
    const asked = async (times: number, asker: (n: number) => NameCaller) => {
      const answers: string[] = [];
      for (let n = 0; n < times; n++) answers.push(await ask(asker(n)));
      return answers.filter((answer) => answer === "conflict").length;
    };
    const post = async (path: string, body: object, cookie: string, from: string) => {
      const headers = { ...json, "x-forwarded-for": from, ...(cookie ? { cookie } : {}) };
      return (await server().send({ method: "POST", path, headers, body: JSON.stringify(body) })).status;
    };

    test.each([
      ["user", 20, () => ({ user: { _id: "ada", companyId: `c${++networks}` } })],
      ["company", 40, (n: number) => ({ user: { _id: `user-${n}`, companyId: "north" } })],
      ["address of strangers", 40, () => ({ address: "10.31.0.1" })],
    ])("go to one %s at most %i times an hour", async (_, times, asker) => {
      expect(await asked(50, asker)).toBe(times);
      // a free name is refused too: it would tell of the others
      expect(await ask(asker(0), async () => undefined)).toBe("rate_limited");
      server().clock.advance(3_600_001);
      expect(await ask(asker(0), async () => undefined)).toBe("free");
    });

    test("are limited for many simultaneous requests too", async () => {
      const user = { _id: "eve", companyId: "east" };
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask({ user })));
      expect(answers.filter((answer) => answer === "conflict").length).toBeLessThanOrEqual(20);
    });

    test("don't count free names or other refusals", async () => {
      const asker = { user: { _id: "ben", companyId: "west" } };
      for (let n = 0; n < 45; n++) expect(await ask(asker, async () => undefined)).toBe("free");
      const full = () => Promise.reject(new AppError("limit_reached"));
      for (let n = 0; n < 10; n++) expect(await ask(asker, full)).toBe("limit_reached");
      expect(await asked(25, () => asker)).toBe(20);
    });

    test.each([
      ["/api/company/users", "company_admin"],
      ["/api/admin/users", "system_admin"],
    ] as const)("count at %s", async (path, role) => {
      const admin = await (await server().company()).user(role);
      await asked(19, () => ({ user: { _id: admin.id, companyId: admin.companyId } }));
      const body = { username: admin.username, name: "Some Name", password };
      const statuses = [
        await post(path, body, admin.cookie, elsewhere()),
        await post(path, body, admin.cookie, elsewhere()),
        await post(path, { ...body, username: `free-${admin.username}` }, admin.cookie, elsewhere()),
      ];
      expect(statuses).toEqual([409, 429, 429]);
    });

    test("that strangers used up don't keep an administrator at their address from a free name", async () => {
      const admin = await (await server().company()).user("company_admin");
      const body = { username: admin.username, name: "Some Name", password };
      await asked(39, () => ({ address: "10.35.0.1" }));
      const statuses = [
        await post("/api/auth/register", body, "", "10.35.0.1"),
        await post("/api/auth/register", body, "", "10.35.0.1"),
        await post("/api/company/users", { ...body, username: `free-${admin.username}` }, admin.cookie, "10.35.0.1"),
        await post("/api/company/users", body, admin.cookie, "10.35.0.1"),
      ];
      expect(statuses).toEqual([409, 429, 201, 409]);
    });

    test("count at registration, with an invitation and without", async () => {
      const { client, username } = await (await server().company()).user("company_admin");
      const { link } = await client.invitations.create({ body: {} });
      const invite = new URL(link).searchParams.get("invite") ?? "";
      const body = { username, name: "Some Name", password };
      await asked(38, () => ({ address: "10.34.0.1" }));
      const statuses = [
        await post("/api/auth/register", body, "", "10.34.0.1"),
        await post("/api/auth/register", { ...body, invite }, "", "10.34.0.1"),
        await post("/api/auth/register", { ...body, invite }, "", "10.34.0.1"),
        await post("/api/auth/register", { ...body, username: `free-${username}` }, "", "10.34.0.1"),
      ];
      expect(statuses).toEqual([409, 409, 429, 429]);
    });
  },
  behindProxy,
);

test.each([
  ["10.0.0.1:5678", "10.0.0.1"],
  ["[2001:db8:0:7::1]:443", "2001:db8:0:7"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7"],
  ["::1", "0:0:0:0"],
])("%s is one caller of %s, without the port that a proxy adds", (address, shared) => {
  expect(network(address)).toBe(shared);
});

test("counters that can't be reached don't lift the limit", async () => {
  const clock = fixedClock("2026-06-01T08:00:00.000Z");
  const broken = new Proxy({}, { get: () => () => Promise.reject(new Error("no database")) });
  let told = 0;
  const limiters = createLimiters({ collection: () => broken as never }, clock, { error: () => void told++ });
  const attempt = { username: "ada", address, trusted: null };
  for (let n = 0; n < 5; n++) {
    expect(await limiters.refuseSignIn(attempt)).toBeNull();
    await limiters.signInFailed(attempt);
  }
  expect(await limiters.refuseSignIn(attempt)).toEqual({ retryAfterSeconds: 900, first: true });
  expect(await limiters.refuseSignIn(attempt)).toEqual({ retryAfterSeconds: 900, first: false });
  for (let n = 0; n < 30; n++) await limiters.check("setup", address);
  await expect(limiters.check("setup", address)).rejects.toMatchObject({ code: "rate_limited" });
  expect(told).toBeGreaterThan(0);
  clock.advance(900_001);
  expect(await limiters.refuseSignIn(attempt)).toBeNull();
});
