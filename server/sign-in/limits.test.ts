import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { describeServer, json, password, type TestUser } from "../../test/server.ts";
import { createDatabaseCounters } from "../http/limit-counters.ts";
import { createLimiters, type NameCaller } from "../http/limiters.ts";
import { isInNetworks, networkPrefix, parseNetworks } from "../http/network.ts";
import { unlockSignIn } from "../http/sign-in-limits.ts";
import { untranslated } from "#core/language/catalog.ts";

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
    const limiters = () => createLimiters(server().db, server().clock, []);
    /** Wrong passwords of strangers. */
    const fail = async (times: number, attempt: (n: number) => { username: string; address: string }) => {
      for (let n = 0; n < times; n++) await limiters().signIn.failed({ ...attempt(n), companyId: null, trusted: null });
    };
    const cookieOf = ({ headers }: { headers: { all(name: string): readonly string[] } }) => {
      const device = headers.all("set-cookie").find((cookie) => cookie.startsWith("device=")) ?? "";
      expect(device).toMatch(
        /^device=[\w-]{43}; path=\/; max-age=\d+; expires=[^;]+ 2027 [^;]+; samesite=lax; httponly$/i,
      );
      return device.split(";")[0] ?? "";
    };
    const wait = async (answer: Promise<{ status: number; headers: { get(name: string): string | null } }>) => {
      const { status, headers } = await answer;
      return status === 429 ? Number(headers.get("retry-after")) : status;
    };

    test("never count right passwords, however many come at once", async () => {
      const user = await account();
      const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(user.username, password, address)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    });

    test("let a name wait after five wrong passwords from one network, each time longer, at most an hour", async () => {
      const user = await account();
      for (let n = 0; n < 5; n++) expect((await signIn(user.username, "wrong", "10.1.0.1")).status).toBe(401);
      const waits: number[] = [];
      for (let n = 0; n < 14; n++) {
        waits.push(await wait(signIn(user.username, password, "10.1.0.1")));
        server().clock.advance((waits.at(-1) ?? 0) * 1000);
        expect((await signIn(user.username, "wrong", "10.1.0.1")).status).toBe(401);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
      server().clock.advance(3_600_000);
      expect((await signIn(user.username, password, "10.1.0.1")).status).toBe(200);
      // the right password starts over
      expect((await signIn(user.username, "wrong", "10.1.0.1")).status).toBe(401);
      expect((await signIn(user.username, password, "10.1.0.1")).status).toBe(200);
    });

    test("let a name wait after fifty from elsewhere, but not in a browser or network it has signed in from", async () => {
      const user = await account();
      const cookie = cookieOf(await signIn(user.username, password, "10.8.0.1"));
      const [stored] = await server().db.collection("known_devices").find({ userId: user.id });
      expect(cookie).not.toContain(stored?._id);
      await fail(49, (n) => ({ username: user.username, address: `10.9.0.${n}` }));
      expect((await signIn(user.username, "wrong", "10.2.0.1")).status).toBe(401);
      expect(await wait(signIn(user.username, password, "10.2.0.2"))).toBe(1);
      expect((await signIn(user.username, password, "10.2.0.2", "device=planted")).status).toBe(429);
      // another user's browser is a stranger
      const other = await account();
      await fail(50, (n) => ({ username: other.username, address: `10.3.0.${n}` }));
      expect((await signIn(other.username, password, "10.2.0.3", cookie)).status).toBe(429);
      expect((await signIn(user.username, password, "10.2.0.3", cookie)).status).toBe(200);
      expect((await signIn(user.username, password, "10.8.0.1")).status).toBe(200);
    });

    test("let the strangers of a network wait after a hundred, and the /56 of an IPv6 customer", async () => {
      const user = await account();
      await fail(100, (n) => ({ username: `unknown-${n}`, address: `2001:db8:0:7${n % 10}::${n}` }));
      expect(await wait(signIn(user.username, password, "2001:db8:0:ff:ffff::1"))).toBe(1);
      expect((await signIn(user.username, password, "2001:db8:0:100::1")).status).toBe(200);
    });

    test("never let strangers lock the colleagues of a building out", async () => {
      const company = await server().company();
      const first = await company.user("manager");
      expect((await signIn(first.username, password, "10.41.0.1")).status).toBe(200);
      await fail(300, (n) => ({ username: `unknown-${n}`, address: "10.41.0.1" }));
      const colleague = await company.user("editor");
      expect((await signIn(colleague.username, "a typo", "10.41.0.1")).status).toBe(401);
      expect((await signIn(colleague.username, password, "10.41.0.1")).status).toBe(200);
      const visitor = await account();
      expect((await signIn(visitor.username, password, "10.41.0.1")).status).toBe(429);
      // the typos of colleagues don't count for the network
      const keys = (
        await server()
          .db.collection("limiters")
          .find({ points: { $gte: 300 } })
      ).map(({ points }) => points);
      expect(keys).toEqual([300]);
    });

    test("hold for one user's right passwords too", async () => {
      const user = await account();
      const attempt = { username: user.username, companyId: user.companyId, address: "10.42.0.1", trusted: null };
      for (let n = 0; n < 100; n++) await limiters().signIn.succeeded(attempt);
      expect(await wait(signIn(user.username, password, "10.42.0.1"))).toBe(900);
    });

    test("count nothing for the network in the networks that the operator names", async () => {
      const trusted = parseNetworks("10.50.0.0/16") ?? [];
      const { signIn, check } = createLimiters(server().db, server().clock, trusted);
      const attempt = (n: number, from: string) => ({
        username: `unknown-${n}`,
        companyId: null,
        address: from,
        trusted: null,
      });
      for (let n = 0; n < 150; n++) await signIn.failed(attempt(n, "10.50.1.1"));
      await expect(signIn.check(attempt(999, "10.50.1.1"))).resolves.toBeDefined();
      for (let n = 0; n < 40; n++) await check("setup", "10.50.1.1");
      for (let n = 0; n < 150; n++) await signIn.failed(attempt(n, "10.51.1.1"));
      await expect(signIn.check(attempt(999, "10.51.1.1"))).rejects.toMatchObject({ code: "rate_limited" });
    });

    test.each([
      ["a user", (username: string) => ({ username })],
      ["an address", () => ({ address: "10.60.0.1" })],
      ["everybody", () => ({})],
    ])("end when the operator unlocks %s", async (_, locked) => {
      const user = await account();
      for (let n = 0; n < 5; n++) await signIn(user.username, "wrong", "10.60.0.1");
      expect((await signIn(user.username, password, "10.60.0.1")).status).toBe(429);
      expect(await unlockSignIn(server().db, { username: "another" })).toBe(0);
      expect((await signIn(user.username, password, "10.60.0.1")).status).toBe(429);
      expect(await unlockSignIn(server().db, locked(user.username))).toBeGreaterThan(0);
      expect((await signIn(user.username, password, "10.60.0.1")).status).toBe(200);
    });

    test("know the browser in which a reset link set a new password", async () => {
      const company = await server().company();
      const admin = await company.user("company_admin");
      const user = await company.user("editor");
      const { link } = await admin.client.companyUsers.resetPassword({ params: { id: user.id } });
      const body = JSON.stringify({
        token: new URL(link ?? "").searchParams.get("token"),
        password: "another-passphrase",
      });
      const headers = { ...json, "x-forwarded-for": "10.70.0.1" };
      const answer = await server().send({ method: "POST", path: "/api/auth/reset-password", headers, body });
      const cookie = cookieOf(answer);
      await fail(50, (n) => ({ username: user.username, address: `10.71.0.${n}` }));
      expect((await signIn(user.username, "another-passphrase", "10.70.0.1")).status).toBe(429);
      expect((await signIn(user.username, "another-passphrase", "10.70.0.1", cookie)).status).toBe(200);
    });

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
      const counters = createDatabaseCounters({ collection: () => racing } as never, server().clock);
      expect([(await counters.add("raced", 60)).points, (await counters.add("raced", 60)).points]).toEqual([2, 3]);
    });

    test("count simultaneous attempts one by one", async () => {
      const counters = createDatabaseCounters(server().db, server().clock);
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
    const limiters = () => createLimiters(server().db, server().clock, []);
    let networks = 0;
    const elsewhere = () => `10.20.${++networks}.1`;
    const refused = () => Promise.reject(new AppError("conflict", untranslated("taken"), { username: "taken" }));
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
  ["[2001:db8:0:7::1]:443", "2001:db8:0:0"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["2001:0DB8:0000:0007::1", "2001:db8:0:0"],
  ["2001:db8:0:7:0:0:0:1", "2001:db8:0:0"],
  ["2001:db8:0:1ff::1", "2001:db8:0:100"],
  ["::ffff:0a00:0001", "10.0.0.1"],
])("%s is one caller of %s, without the port that a proxy adds", (address, shared) => {
  expect(networkPrefix(address)).toBe(shared);
});

test.each([
  ["10.0.0.0/8", "10.9.8.7", true],
  ["10.0.0.0/8", "::ffff:10.9.8.7", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["192.0.2.7, 2001:db8::/32", "2001:db8:1::1", true],
  ["192.0.2.7, 2001:db8::/32", "192.0.2.7:4711", true],
  ["192.0.2.7", "192.0.2.8", false],
  ["", "192.0.2.8", false],
  ["192.0.2.7", "not an address", false],
])("the networks %s and the address %s: %s", (text, address, found) => {
  expect(isInNetworks(address, parseNetworks(text) ?? [])).toBe(found);
});

test.each([
  "10.0.0.0/33",
  "0.0.0.0/0",
  "::/0",
  "::/8",
  "::ffff:0:0/96",
  "::ffff:10.0.0.0/104",
  "10.0.0",
  "office",
  "10.0.0.0/8/8",
  "10.0.0.0/-8",
])("%s is no network", (text) => {
  expect(parseNetworks(text)).toBeNull();
});

test("counters that can't be reached don't lift the limit", async () => {
  const clock = fixedClock("2026-06-01T08:00:00.000Z");
  const broken = new Proxy({}, { get: () => () => Promise.reject(new Error("no database")) });
  const limiters = createLimiters({ collection: () => broken as never }, clock, []);
  const attempt = { username: "ada", companyId: "north", address, trusted: null };
  await expect(limiters.signIn.check(attempt)).rejects.toThrow("no database");
  await expect(limiters.signIn.failed(attempt)).rejects.toThrow("no database");
  await expect(limiters.check("setup", address)).rejects.toThrow("no database");
});
