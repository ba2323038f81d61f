/** How the server behaves as a server: health, limits, errors, headers, its log, and stopping. */
import { request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { exchange } from "../../test/http.ts";
import { describeServer, json, password, startServer, type TestServer, type TestUser } from "../../test/server.ts";

const draft = { title: "T", description: "D", markdown: "M" };
const post = (
  user: TestUser | TestServer,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = json,
) => user.send({ method: "POST", path, headers, body });

describeServer("the server", (server, engine) => {
  const manager = async () => (await server().company()).user("manager");

  test("reports whether it is alive and ready, without a session", async () => {
    expect((await server().send({ path: "/healthz" })).json()).toEqual({ ok: true });
    const ready = await server().send({ path: "/readyz" });
    const parts = { database: "ok", backups: "off", "stored data": "ok" };
    expect([ready.status, ready.json()]).toMatchObject([200, { ready: true, problems: [], parts }]);
  });

  test("refuses what is too large, and goes on", async () => {
    const user = await manager();
    const text = (size: number) => JSON.stringify({ ...draft, markdown: "x".repeat(size) });
    expect((await post(user, "/api/sops", text(limits.json))).status).toBe(413);
    expect((await post(user, "/api/sops", text(limits.document + 1))).status).toBe(413);
    expect(
      (await post(server(), "/api/auth/login", JSON.stringify({ username: "x".repeat(limits.signIn), password: "y" })))
        .status,
    ).toBe(413);
    expect(
      (await post(user, "/api/assets", Buffer.alloc(limits.asset + 1), { "content-type": "image/png" })).status,
    ).toBe(413);
    const declared = await post(user, "/api/sops", "{}", {
      ...json,
      "content-length": "2",
      "content-encoding": "gzip",
    });
    expect(declared.status).toBe(415);
    expect((await user.client.sops.list()).data).toEqual([]);
  });

  test("refuses what is nested too deep, holds __proto__, or is no JSON", async () => {
    const user = await manager();
    const nested = (depth: number) => `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const bodies: [string, number, string][] = [
      [nested(limits.jsonDepth + 1), 400, "nested deeper"],
      [nested(60_000), 400, "nested deeper"],
      ['{"__proto__": {"role": "system_admin"}}', 400, "__proto__"],
      ['{"category": {"__proto__": {}}}', 400, "__proto__"],
      ["{", 400, "not valid JSON"],
      ["", 400, ""],
      ['{"title": {"$gt": ""}}', 400, ""],
    ];
    for (const [body, status, told] of bodies) {
      const answer = await post(user, "/api/sops", body);
      expect([body.slice(0, 30), answer.status, answer.body.includes(told)]).toEqual([body.slice(0, 30), status, true]);
    }
    const latin = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xe9]), Buffer.from('"}')]);
    expect((await post(user, "/api/sops", latin)).status).toBe(400);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test("accepts JSON only, regardless of the other headers", async () => {
    const user = await manager();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ]) {
      const answer = await post(user, "/api/sops", JSON.stringify(draft), { "content-type": type });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    const untyped = await post(user, "/api/sops", JSON.stringify(draft), {});
    expect(untyped.status).toBe(415);
    expect(
      (await post(user, "/api/sops", JSON.stringify(draft), { "content-type": "application/json; charset=utf-8" }))
        .status,
    ).toBe(201);
  });

  test("accepts an empty body without a type as an empty object", async () => {
    const user = await manager();
    const made = await user.client.sops.create({ body: draft });
    await user.client.sops.update({ params: { id: made.id }, body: { markdown: "Second" } });
    const bare = (path: string, headers: Record<string, string> = {}) => user.send({ method: "POST", path, headers });
    const empty = (path: string) => bare(path, { "content-length": "0" });
    expect((await bare(`/api/sops/${made.id}/restore/1`)).status).toBe(200);
    expect((await empty(`/api/sops/${made.id}/restore/2`)).status).toBe(200);
    expect((await empty("/api/sops")).json()).toMatchObject({
      code: "invalid_input",
      details: { title: "Title is required", description: "Description is required" },
    });
    // a form's type is still refused: another site's page can send it
    expect((await bare("/api/auth/logout", { "content-type": "text/plain", "content-length": "0" })).status).toBe(415);
    expect((await empty("/api/auth/logout")).status).toBe(200);
  });

  test("gives the same message for a missing field as for an empty one", async () => {
    const user = await manager();
    const answers: [string, object, Record<string, string>][] = [
      ["/api/sops", {}, { title: "Title is required", description: "Description is required" }],
      ["/api/sops", { ...draft, categoryId: "" }, { categoryId: "Category is required" }],
      ["/api/sops", { ...draft, status: "" }, { status: "Status is required" }],
      ["/api/auth/reset-password", {}, { token: "Invalid reset link" }],
      [
        "/api/auth/register",
        {},
        {
          username: "Username must be at least 3 characters",
          password: "Password must be at least 6 characters long",
          name: "Name must be at least 2 characters",
        },
      ],
      ["/api/sops", { title: null, description: null, content: null }, { content: "Content is required" }],
      ["/api/auth/login", {}, { username: "“username” is required", password: "“password” is required" }],
      ["/api/user/settings/test-api-key", {}, { apiKey: "Invalid Key: Please enter a valid API key to test." }],
      ["/api/categories", {}, { name: "Name is required" }],
      ["/api/teams", {}, { name: "Team name must be at least 2 characters" }],
    ];
    for (const [path, body, details] of answers) {
      const answer = await post(user, path, JSON.stringify(body));
      expect([path, answer.status, answer.json()]).toEqual([
        path,
        400,
        expect.objectContaining({ code: "invalid_input", details: expect.objectContaining(details) as object }),
      ]);
    }
    expect((await user.client.sops.create({ body: draft })).categoryId).toBeNull();
  });

  test("answers every failure in one form", async () => {
    const user = await manager();
    for (const [method, path, status, code] of [
      ["GET", "/api/nothing", 404, "not_found"],
      ["PATCH", "/api/sops", 405, "method_not_allowed"],
      ["DELETE", "/api/auth/me", 405, "method_not_allowed"],
      ["GET", "/api/sops/%ff", 404, "not_found"],
      ["GET", "/api/sops?limit=0", 400, "invalid_input"],
      ["GET", "/api/sops?limit=201", 400, "invalid_input"],
      ["GET", `/api/sops/${"x".repeat(101)}`, 400, "invalid_input"],
      ["GET", "/api/assets/../../etc/passwd", 404, "not_found"],
    ] as const) {
      const answer = await user.send({ method, path });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.json()).toMatchObject({ code, message: expect.any(String) });
    }
  });

  test("hides internal errors, and returns the number they are logged with", async () => {
    const lines: string[] = [];
    const log = pino(
      { level: "info" },
      new Writable({ write: (chunk, _, done) => void (lines.push(String(chunk)), done()) }),
    );
    const own = await startServer(engine, { log });
    try {
      const user = await (await own.company()).user("manager");
      const { id } = await user.client.sops.create({ body: draft });
      own.running.services.render.render = () => Promise.reject(new Error("a secret of the server"));
      const answer = await user.send({ path: `/api/sops/${id}` });
      const requestId = answer.headers.get("x-request-id");
      expect(answer.status).toBe(500);
      expect(answer.json()).toEqual({
        code: "internal",
        message: "Something went wrong on the server",
        details: { requestId },
      });
      const logged = lines
        .map((line) => JSON.parse(line) as { requestId?: string; level: number })
        .filter((line) => line.requestId === requestId);
      expect(logged.map(({ level }) => level).sort()).toEqual([30, 50]);
    } finally {
      await own.stop();
    }
  });

  test("logs each request without secrets", async () => {
    const lines: string[] = [];
    const log = pino(
      { level: "trace" },
      new Writable({ write: (chunk, _, done) => void (lines.push(String(chunk)), done()) }),
    );
    const own = await startServer(engine, { log });
    try {
      const setup = own.running.setupToken ?? "";
      await post(own, "/api/setup", JSON.stringify({ token: setup, username: "root", password, name: "Root" }));
      const user = await (await own.company()).user("manager");
      await own.signIn(user.username);
      await own.signIn(user.username, "a wrong password");
      const { token } = await user.client.tokens.create({ body: { name: "ci" } });
      await own.clientWith({ authorization: `Bearer ${token}` }).sops.list({ query: { search: "zanzibar" } });
      await user.client.sops.create({ body: { ...draft, markdown: "madagascar" } });
      const text = lines.join("");
      const requests = lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === "request");
      expect(requests).toContainEqual(
        expect.objectContaining({
          method: "POST",
          path: "/api/sops",
          status: 201,
          userId: user.id,
          requestId: expect.any(String),
          ms: expect.any(Number),
        }),
      );
      for (const secret of [
        password,
        "a wrong password",
        token,
        user.cookie.slice(4),
        setup,
        "zanzibar",
        "madagascar",
        "argon2",
      ]) {
        expect([secret, text.includes(secret)]).toEqual([secret, false]);
      }
    } finally {
      await own.stop();
    }
  });

  test("sends its security headers with everything", async () => {
    const user = await manager();
    const answers = [
      await user.send({ path: "/api/sops" }),
      await user.send({ path: "/api/nothing" }),
      await server().send({ path: "/" }),
      await post(server(), "/api/sops", "{}"),
    ];
    for (const { headers } of answers) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("x-powered-by")).toBeNull();
    }
    const page = answers[2]?.headers;
    expect(page?.get("x-frame-options")).toBe("DENY");
    expect(page?.get("referrer-policy")).toBe("same-origin");
    expect(page?.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(answers[0]?.headers.get("cache-control")).toBe("no-store");
    expect(answers[0]?.headers.get("strict-transport-security")).toBeNull();
  });

  test("limits its cookie to this host and https when behind https", async () => {
    const port = String(await freePort());
    const own = await startServer(engine, {
      env: { PORT: port, PUBLIC_URL: "https://sop.example.org", TRUSTED_PROXIES: "1" },
    });
    try {
      const headers = {
        ...json,
        origin: "https://sop.example.org",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "1.1.1.1, 9.9.9.9",
      };
      const answer = await exchange(`http://127.0.0.1:${port}`, {
        method: "POST",
        path: "/api/auth/register",
        headers,
        body: JSON.stringify({ username: "someone", password, name: "Some One" }),
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("set-cookie")).toMatch(
        /^__Host-sid=[\w-]{43}; path=\/; max-age=\d+; expires=[^;]+; samesite=lax; secure; httponly$/i,
      );
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
      const [audit] = await own.db.collection("audit_logs").find({ action: "account.register" });
      // the hop that we trust says who called it; what the client wrote before that is hearsay
      expect(audit?.ipAddress).toBe("9.9.9.9");
    } finally {
      await own.stop();
    }
  });

  test("answers a request that runs when it stops, and takes no new one", async () => {
    const own = await startServer(engine);
    const user = await (await own.company()).user("manager");
    const { url } = own;
    const body = JSON.stringify(draft);
    const { hostname, port } = new URL(url);
    const headers = { ...json, cookie: user.cookie, origin: url, "content-length": String(body.length) };
    const answered = new Promise<number | undefined>((resolve, reject) => {
      const slow = request({ host: hostname, port, method: "POST", path: "/api/sops", headers }, (incoming) => {
        incoming.resume();
        incoming.on("end", () => resolve(incoming.statusCode));
      });
      slow.on("error", reject);
      slow.write(body.slice(0, 10));
      setTimeout(() => {
        void own.stop();
        setTimeout(() => slow.end(body.slice(10)), 50);
      }, 50);
    });
    expect(await answered).toBe(201);
    await expect(exchange(url, { path: "/healthz" })).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) });
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
