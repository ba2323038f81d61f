/** Attempts to get around sessions, tokens, limits and idempotency. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashOf } from "../../server/http/session.ts";
import { exchange, type Exchange } from "../http.ts";
import { describeServer, json, password, startServer, type TestUser } from "../server.ts";
import { freePort } from "../free-port.ts";

const draft = { title: "T", description: "D", markdown: "M" };

describeServer("hostile access", (server, engine) => {
  const send = (user: TestUser | null, path: string, headers: Record<string, string> = {}, body: unknown = {}) =>
    server().send({
      method: "POST",
      path,
      headers: { ...json, ...(user ? { cookie: user.cookie } : {}), ...headers },
      body: JSON.stringify(body),
    });

  test("a path in other letters or with a slash more is another path", async () => {
    const user = await (await server().company()).user("manager");
    const signIn = { username: user.username, password };
    for (const path of [
      "/api/auth/login/",
      "/API/auth/login",
      "/api/Auth/Login",
      "/api//auth/login",
      "/api/auth/%6Cogin",
    ]) {
      const answer = await send(null, path, {}, signIn);
      expect([path, [404, 405].includes(answer.status)]).toEqual([path, true]);
    }
    for (const path of ["/api/auth/logout/", "/API/AUTH/LOGOUT"])
      expect([path, [404, 405].includes((await send(user, path)).status)]).toEqual([path, true]);
    expect((await user.client.auth.check()).authenticated).toBe(true);
    expect((await user.send({ path: "/api/sops/" })).status).toBe(404);
  });

  test("behind https the cookie is set even where no proxy says that it was https", async () => {
    const port = String(await freePort());
    const own = await startServer(engine, { env: { PORT: port, PUBLIC_URL: "https://sop.example.org" } });
    const ask = (request: Exchange) => exchange(`http://127.0.0.1:${port}`, request);
    try {
      const answer = await ask({
        method: "POST",
        path: "/api/auth/register",
        headers: { ...json, origin: "https://sop.example.org" },
        body: JSON.stringify({ username: "someone", password, name: "Some One" }),
      });
      expect(answer.status).toBe(201);
      const cookie = answer.headers.all("set-cookie")[0] ?? "";
      expect(cookie).toMatch(/^__Host-sid=.*; secure/i);
      // the cookie name for plain HTTP signs no one in
      const value = cookie.split(";")[0]?.split("=")[1] ?? "";
      const me = (name: string) => ask({ path: "/api/auth/me", headers: { cookie: `${name}=${value}` } });
      expect([(await me("__Host-sid")).status, (await me("sid")).status]).toEqual([200, 401]);
    } finally {
      await own.stop();
    }
  });

  test("trusts no header for a caller's address, and takes an IPv6 customer for one caller", async () => {
    const user = await (await server().company()).user("manager");
    const attempt = (n: number) =>
      send(
        null,
        "/api/auth/login",
        { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}`, "x-real-ip": `10.0.0.${n}` },
        {
          username: [user.username, user.username.toUpperCase(), ` ${user.username} `][n % 3],
          password: "wrong",
        },
      );
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await attempt(n)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const [audit] = await server()
      .db.collection("audit_logs")
      .find({ action: "account.sign_in_failed", userId: user.id });
    expect(audit?.ipAddress).not.toContain("10.0.0.");
  });

  test("a key for repeats keeps no secret", async () => {
    const user = await (await server().company()).user("manager");
    const key = { "idempotency-key": "once" };
    const made = await send(user, "/api/tokens", key, { name: "CI" });
    expect(made.status).toBe(201);
    const { token } = made.json() as { token: string };
    await send(user, "/api/auth/login", key, { username: user.username, password: "a secret password" });
    const kept = await server().db.collection("idempotency").find({ userId: user.id });
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(kept).toEqual([]);
    // and the second request creates a second token: a token is shown only once
    expect((await send(user, "/api/tokens", key, { name: "CI" })).body).not.toContain(token);
  });

  test("a repeat while the first still runs, however long, does not run beside it", async () => {
    const user = await (await server().company()).user("manager");
    const { render } = server().running.services;
    const whole = render.compose;
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    render.compose = async (...text) => {
      render.compose = whole;
      reached.resolve();
      await goOn.promise;
      return whole(...text);
    };
    const first = user.client.sops.create({ body: draft, idempotencyKey: "slow" }).catch((error: unknown) => error);
    await reached.promise;
    server().clock.advance(120_000);
    // the server that took the first request counts as dead
    const second = await user.client.sops.create({ body: draft, idempotencyKey: "slow" });
    goOn.resolve();
    expect(await first).toMatchObject({ status: 409 });
    expect((await user.client.sops.list()).data.map(({ id }) => id)).toEqual([second.id]);
  });

  test("a token reads or writes what its scopes say, for every verb", async () => {
    const user = await (await server().company()).user("manager");
    const { token } = await user.client.tokens.create({ body: { name: "read", scopes: ["sops:read"] } });
    const { id } = await user.client.sops.create({ body: draft });
    const authorization = `Bearer ${token}`;
    const writes = [
      "/api/sops",
      "/api/sops/import",
      "/api/categories",
      "/api/assets",
      "/api/tokens",
      ...["publish", "archive", "restore/1", "undelete"].map((verb) => `/api/sops/${id}/${verb}`),
    ];
    for (const path of writes)
      for (const more of [{}, { "x-http-method-override": "GET" }, { cookie: user.cookie }])
        expect([
          path,
          (await server().send({ method: "POST", path, headers: { ...json, authorization, ...more }, body: "{}" }))
            .status,
        ]).toEqual([path, 403]);
    for (const scheme of [
      `bearer  ${token}`,
      `Bearer ${token}x`,
      `Basic ${token}`,
      `Bearer ${token}, Bearer ${token}`,
      "Bearer",
    ]) {
      const { status } = await server().send({ path: "/api/sops", headers: { authorization: scheme } });
      expect([scheme, status]).toEqual([scheme, scheme.startsWith("bearer  ") ? 200 : 401]);
    }
  });

  test("of the many who use one set-up link at once one becomes the administrator", async () => {
    const own = await startServer(engine);
    try {
      const token = own.running.setupToken ?? "";
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          own.send({
            method: "POST",
            path: "/api/setup",
            headers: json,
            body: JSON.stringify({ token, username: `admin-${n}`, password, name: "Admin" }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual(
        [201, ...Array(5).fill(expect.toBeOneOf([403, 409]))].sort(),
      );
      expect(await own.db.collection("users").countDocuments({ role: "system_admin" })).toBe(1);
      expect(await own.db.collection("companies").countDocuments({})).toBe(1);
    } finally {
      await own.stop();
    }
  });

  test("a stream opened by HEAD, or given up at once, leaves no listener behind", async () => {
    const user = await (await server().company()).user("viewer");
    const { events } = server().running.services;
    const { join } = events;
    let [joined, left] = [0, 0];
    events.join = async (...listener) => {
      const leave = await join(...listener);
      joined++;
      return () => {
        left++;
        leave();
      };
    };
    const answer = await server().send({ method: "HEAD", path: "/api/events", headers: { cookie: user.cookie } });
    expect(answer.status).toBe(200);
    const aborted = Array.from({ length: 5 }, () => {
      const leaving = new AbortController();
      const request = server().send({ path: "/api/events", headers: { cookie: user.cookie }, signal: leaving.signal });
      setImmediate(() => leaving.abort());
      return request.catch(() => null);
    });
    await Promise.all(aborted);
    await expect.poll(() => [joined > 0, joined - left]).toEqual([true, 0]);
    events.join = join;
  });

  test("who is suspended hears nothing more on a stream that is open", async () => {
    const company = await server().company();
    const [writer, reader] = [await company.user("manager"), await company.user("viewer")];
    const response = await fetch(`${server().url}/api/events`, { headers: { cookie: reader.cookie } });
    await server()
      .db.collection("users")
      .updateOne({ _id: reader.id }, { $set: { status: "suspended" } });
    await writer.client.sops.create({ body: { ...draft, status: "published" } });
    expect(await response.text()).toBe(": connected\n\n");
  });

  test("a cookie of another length, or many at once, signs no one in", async () => {
    const id = randomBytes(32).toString("base64url");
    expect(
      await server()
        .db.collection("sessions")
        .findOne({ _id: hashOf(id) }),
    ).toBeNull();
    for (const cookie of [
      `sid=${id}`,
      "sid=",
      "sid",
      `sid=${"a".repeat(5_000)}`,
      `xsid=${id}`,
      `sid=${id}; sid=${id}`,
      "sid=%00",
      "=;=;=",
      "sid=__proto__________________________",
    ])
      expect([cookie, (await server().send({ path: "/api/auth/me", headers: { cookie } })).status]).toEqual([
        cookie,
        401,
      ]);
  });
});
