import { describe, expect, test } from "vitest";
import {
  cookieOf,
  describeServer,
  json,
  password,
  startServer,
  type TestServer,
  type TestUser,
} from "../../test/server.ts";

const post = (server: TestServer, path: string, body: object, headers: Record<string, string> = {}) =>
  server.send({ method: "POST", path, headers: { ...json, ...headers }, body: JSON.stringify(body) });
const me = (server: TestServer, cookie: string) => server.send({ path: "/api/auth/me", headers: { cookie } });

describeServer("the first administrator", (server, engine) => {
  const root = { username: "root", password, name: "Root Admin" };

  test("is created with the newest set-up link, once", async () => {
    const first = server().running.setupToken ?? "";
    await server().restart();
    const token = server().running.setupToken ?? "";
    expect(token).not.toBe(first);
    expect((await post(server(), "/api/setup", { ...root, token: first })).status).toBe(403);
    const both = await Promise.all([
      post(server(), "/api/setup", { ...root, token, company: "Acme" }),
      post(server(), "/api/setup", { ...root, username: "second", token }),
    ]);
    expect(both.map(({ status }) => status).filter((status) => status === 201).length).toBe(1);
    expect((await post(server(), "/api/setup", { ...root, username: "third", token })).status).toBe(403);
    const made = both.find(({ status }) => status === 201);
    const { user } = (made?.json() ?? {}) as { user: { role: string; company: { slug: string } } };
    expect(user).toMatchObject({ role: "system_admin", company: { slug: made === both[0] ? "acme" : "system" } });
    expect((await me(server(), cookieOf(made as never))).status).toBe(200);
    expect(await server().db.collection("users").find({ role: "system_admin" })).toMatchObject([
      { lastLoginAt: expect.any(String) },
    ]);
    await server().restart();
    expect(server().running.setupToken).toBeNull();
  });

  test("has a link whose token is stored as a hash alone", async () => {
    const fresh = await startServer(engine);
    try {
      const stored = await fresh.db.collection("system").findOne({ _id: "setup-token" });
      expect(stored?.value).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(stored)).not.toContain(fresh.running.setupToken);
    } finally {
      await fresh.stop();
    }
  });

  test("can be admin or root, but not named like the product", async () => {
    const env = { ADMIN_USERNAME: "admin", ADMIN_PASSWORD: password };
    const named = await startServer(engine, { env });
    try {
      expect((await named.signIn("admin")).status).toBe(200);
    } finally {
      await named.stop();
    }
    for (const ADMIN_USERNAME of ["system", "sop"])
      await expect(startServer(engine, { env: { ...env, ADMIN_USERNAME } })).rejects.toThrow(
        "ADMIN_USERNAME: Sopwright",
      );
    const fresh = await startServer(engine);
    try {
      const token = fresh.running.setupToken ?? "";
      for (const [field, value] of [
        ["name", "System"],
        ["name", "Sopwright Team"],
        ["username", "sop-server"],
      ] as const) {
        const refused = await post(fresh, "/api/setup", { ...root, token, [field]: value });
        expect([value, refused.status, refused.json()]).toMatchObject([
          value,
          409,
          { details: { [field]: expect.stringContaining("Sopwright shows") } },
        ]);
      }
      const asked = { ...root, username: "admin", name: "Administrator", token };
      expect((await post(fresh, "/api/setup", asked)).status).toBe(201);
      await fresh.restart();
      expect((await fresh.signIn("admin")).status).toBe(200);
    } finally {
      await fresh.stop();
    }
  });

  test("is created by ADMIN_* at the start, and never twice", async () => {
    const given = await startServer(engine, { env: { ADMIN_USERNAME: "Boss", ADMIN_PASSWORD: password } });
    try {
      expect(given.running.setupToken).toBeNull();
      expect((await given.signIn("boss")).status).toBe(200);
      await given.restart();
      expect(await given.db.collection("users").countDocuments({})).toBe(1);
    } finally {
      await given.stop();
    }
  });
});

describeServer("registration", (server, engine) => {
  test("creates a company with categories, and signs its user in", async () => {
    const user = await server().signUp("Grace.Hopper");
    const { user: shown } = await user.client.auth.me();
    expect(shown).toMatchObject({
      username: "grace.hopper",
      role: "company_admin",
      company: { name: "Ada Founder's company", slug: "grace-hopper" },
    });
    expect((await user.client.categories.list()).map(({ name }) => name)).toEqual([
      "HR Procedures",
      "Safety Protocols",
      "IT Operations",
      "Finance",
    ]);
    const answer = await post(server(), "/api/auth/register", { username: "GRACE.HOPPER ", password, name: "Other" });
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ code: "conflict", details: { username: expect.any(String) } });
    // the refused one founded nothing
    expect(await server().db.collection("companies").countDocuments({})).toBe(1);
    const second = await server().signUp("grace-hopper");
    expect((await second.client.auth.me()).user.company.slug).toBe("grace-hopper-2");
  });

  test("accepts one of two simultaneous requests with the same name", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((n) => post(server(), "/api/auth/register", { username: "twin", password, name: `Twin ${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await server().db.collection("users").countDocuments({ username: "twin" })).toBe(1);
  });

  test("gives companies with similar names different addresses, also at the same moment", async () => {
    const answers = await Promise.all(
      ["a.b", "a_b", "a-b"].map((username) =>
        post(server(), "/api/auth/register", { username: `x${username}`, password, name: "Some One" }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const slugs = answers.map((answer) => (answer.json() as { user: { company: { slug: string } } }).user.company.slug);
    expect(slugs.sort()).toEqual(["xa-b", "xa-b-2", "xa-b-3"]);
  });

  test("names the problem of each field", async () => {
    const answer = await post(server(), "/api/auth/register", {
      username: "a b",
      password: "short",
      name: "x",
      email: "nowhere",
    });
    expect(answer.status).toBe(400);
    expect((answer.json() as { details: object }).details).toEqual({
      username: "Username can contain letters, digits, dots, hyphens and underscores",
      password: "Password must be at least 6 characters long",
      name: "Name must be at least 2 characters",
      email: "Invalid email address",
    });
  });

  test("is closed if the operator closed it, and refuses common passwords by default", async () => {
    const closed = await startServer(engine, { env: { REGISTRATION: "closed" } });
    const careful = await startServer(engine, { env: { PASSWORD_BLOCKLIST: "on", PASSWORD_POLICY: "hardened" } });
    try {
      expect(
        (await post(closed, "/api/auth/register", { username: "someone", password, name: "Some One" })).status,
      ).toBe(403);
      expect((await closed.send({ path: "/api/auth/check" })).json()).toEqual({
        address: expect.stringMatching(/^http:\/\/localhost:/) as string,
        authenticated: false,
        userId: null,
        registration: "closed",
        sendsEmail: false,
        passwordMinimum: 6,
        eventSeq: null,
      });
      for (const weak of ["passwordpassword", "fourteen chars", "someone.someone"]) {
        const answer = await post(careful, "/api/auth/register", {
          username: "someone.someone",
          password: weak,
          name: "Some One",
        });
        expect([weak, answer.status]).toEqual([weak, 400]);
        expect(answer.json()).toMatchObject({ details: { password: expect.any(String) } });
      }
      expect(
        (await post(careful, "/api/auth/register", { username: "someone", password, name: "Some One" })).status,
      ).toBe(201);
    } finally {
      await closed.stop();
      await careful.stop();
    }
  });

  test("is limited by network address", async () => {
    let status = 0;
    for (let n = 0; n < 70 && status !== 429; n++) ({ status } = await post(server(), "/api/auth/register", {}));
    expect(status).toBe(429);
    server().clock.advance(3_600_001);
    expect((await post(server(), "/api/auth/register", {})).status).toBe(400);
  });
});

describeServer("signing in", (server) => {
  const account = async (): Promise<TestUser> => (await server().company()).user("manager");
  const sessionsOf = (user: TestUser) => server().db.collection("sessions").countDocuments({ userId: user.id });

  test("sets a cookie that scripts can't read, and never returns the password's hash", async () => {
    const user = await account();
    const answer = await server().signIn(user.username.toUpperCase());
    expect(answer.status).toBe(200);
    const [cookie = ""] = answer.headers.all("set-cookie");
    expect(cookie).toMatch(/^sid=[\w-]{43}; path=\/; max-age=\d+; expires=[^;]+; samesite=lax; httponly$/i);
    expect(answer.body).not.toContain("argon2");
    expect(answer.body).not.toContain("assword");
    expect((await me(server(), cookieOf(answer))).status).toBe(200);
    // the values in the database can't be used to sign in
    const [stored] = await server()
      .db.collection("sessions")
      .find({ userId: user.id }, { sort: { createdAt: -1 }, limit: 1 });
    expect((await me(server(), `sid=${stored?._id}`)).status).toBe(401);
  });

  test("answers an unknown name and a wrong password alike, and is limited after five failures", async () => {
    const user = await account();
    const wrong = await server().signIn(user.username, "wrong password");
    const unknown = await server().signIn("nobody-of-this-name", "wrong password");
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body]);
    for (let n = 0; n < 4; n++) expect((await server().signIn(user.username, "wrong")).status).toBe(401);
    const braked = await server().signIn(user.username);
    expect(braked.status).toBe(429);
    expect(Number(braked.headers.get("retry-after"))).toBe(1);
    // others are not braked
    expect((await server().signIn((await account()).username)).status).toBe(200);
    server().clock.advance(900_001);
    expect((await server().signIn(user.username)).status).toBe(200);
    expect((await server().signIn(user.username, "wrong")).status).toBe(401);
    const audit = await server().db.forCompany(user.companyId).collection("audit_logs").find({ entityId: user.id });
    expect(audit.filter(({ action }) => action === "account.sign_in_failed").length).toBe(6);
  });

  test("counts many guesses at once one by one", async () => {
    const user = await account();
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => server().signIn(user.username, `guess ${n}`)),
    );
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect((await server().signIn(user.username)).status).toBe(429);
  });

  test("gives a new id, and ends the earlier session (fixation)", async () => {
    const [first, second] = [await account(), await account()];
    const before = cookieOf(await server().signIn(first.username));
    const answer = await server().send({
      method: "POST",
      path: "/api/auth/login",
      headers: { ...json, cookie: before },
      body: JSON.stringify({ username: second.username, password }),
    });
    const after = cookieOf(answer);
    expect(after).not.toBe(before);
    expect((await me(server(), before)).status).toBe(401);
    expect((await me(server(), after)).json()).toMatchObject({ user: { id: second.id } });
    // an id that the client made up is not taken either
    const chosen = await server().send({
      method: "POST",
      path: "/api/auth/login",
      headers: { ...json, cookie: "sid=chosen" },
      body: JSON.stringify({ username: second.username, password }),
    });
    expect(cookieOf(chosen)).not.toBe("sid=chosen");
    expect((await me(server(), "sid=chosen")).status).toBe(401);
  });

  test("isn't undone by a slow request: a signed-out session stays ended", async () => {
    const user = await account();
    for (let round = 0; round < 5; round++) {
      const cookie = cookieOf(await server().signIn(user.username));
      const count = await sessionsOf(user);
      server().clock.advance(61_000);
      const slow = Array.from({ length: 4 }, () =>
        server().send({ path: "/api/sops?total=true", headers: { cookie } }),
      );
      const out = server().send({ method: "POST", path: "/api/auth/logout", headers: { ...json, cookie }, body: "{}" });
      const more = Array.from({ length: 4 }, () => me(server(), cookie));
      const answers = await Promise.all([...slow, out, ...more]);
      expect(answers.some(({ status }) => status >= 500)).toBe(false);
      expect((await me(server(), cookie)).status).toBe(401);
      expect(await sessionsOf(user)).toBe(count - 1);
    }
  });

  test("lasts until sign-out, which ends this session alone and clears the cache, not the drafts", async () => {
    const user = await account();
    const [one, two] = [cookieOf(await server().signIn(user.username)), cookieOf(await server().signIn(user.username))];
    const out = await server().send({ method: "POST", path: "/api/auth/logout", headers: { ...json, cookie: one } });
    expect(out.headers.get("clear-site-data")).toBe('"cache"');
    expect(out.headers.get("set-cookie")).toMatch(/^sid=;/);
    expect((await me(server(), one)).status).toBe(401);
    expect((await me(server(), two)).status).toBe(200);
    expect((await server().send({ method: "POST", path: "/api/auth/logout", headers: json })).status).toBe(200);
  });

  test("lasts until a day without use, and two weeks at most", async () => {
    const user = await account();
    const hour = 3_600_000;
    const idle = cookieOf(await server().signIn(user.username));
    server().clock.advance(24 * hour);
    expect((await me(server(), idle)).status).toBe(401);
    const busy = cookieOf(await server().signIn(user.username));
    for (let day = 0; day < 14; day++) {
      expect([day, (await me(server(), busy)).status]).toEqual([day, 200]);
      server().clock.advance(24 * hour - 1);
    }
    server().clock.advance(14);
    expect((await me(server(), busy)).status).toBe(401);
  });

  test("keeps at most twenty sessions: the oldest ends", async () => {
    const user = await account();
    const cookies: string[] = [];
    for (let n = 0; n < 21; n++) {
      server().clock.advance(1000);
      cookies.push(cookieOf(await server().signIn(user.username)));
    }
    expect(await sessionsOf(user)).toBe(20);
    expect((await me(server(), user.cookie)).status).toBe(401);
    expect((await me(server(), cookies[0] ?? "")).status).toBe(401);
    expect((await me(server(), cookies[1] ?? "")).status).toBe(200);
  });

  describe("at the next request access changes", () => {
    const users = () => server().db.collection("users");
    const ends: [string, (user: TestUser) => Promise<unknown>, boolean][] = [
      ["a suspended user", (user) => users().updateOne({ _id: user.id }, { $set: { status: "suspended" } }), true],
      ["a deleted user", (user) => users().updateOne({ _id: user.id }, { $set: { status: "deleted" } }), true],
      [
        "a newer session version",
        (user) => users().updateOne({ _id: user.id }, { $inc: { sessionVersion: 1 } }),
        false,
      ],
      [
        "a suspended company",
        (user) =>
          server()
            .db.collection("companies")
            .updateOne({ _id: user.companyId }, { $set: { status: "suspended" } }),
        true,
      ],
    ];
    test.each(ends)("for %s", async (_, end, forGood) => {
      const user = await account();
      const { token } = await user.client.tokens.create({ body: { name: "ci" } });
      const byToken = () => server().send({ path: "/api/sops", headers: { authorization: `Bearer ${token}` } });
      expect([(await user.send({ path: "/api/sops" })).status, (await byToken()).status]).toEqual([200, 200]);
      await end(user);
      // a company's state can be a moment old (`docs/spec/statuses.md`)
      while ((await user.send({ path: "/api/sops" })).status !== 401) continue;
      expect((await byToken()).status).toBe(401);
      expect((await server().signIn(user.username)).status).toBe(forGood ? 401 : 200);
    });

    test("for a new role", async () => {
      const user = await account();
      await users().updateOne({ _id: user.id }, { $set: { role: "viewer" } });
      await expect(
        user.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } }),
      ).rejects.toMatchObject({ status: 403 });
    });
  });
});
