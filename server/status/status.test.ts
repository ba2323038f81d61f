import type { Context } from "koa";
import pino from "pino";
import { expect, test } from "vitest";
import { startServer, describeServer, type TestServer } from "../../test/server.ts";
import { createStatusEndpoint } from "./endpoint.ts";
import { createOperatorProof } from "./operator-proof.ts";
import { gauges } from "./metrics.ts";

const token = "a-token-of-the-operator";
const lines: Record<string, unknown>[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });

const metricsOf = async (server: TestServer, headers: Record<string, string> = {}) =>
  server.send({ path: "/metrics", headers });

describeServer(
  "the state of a server",
  (server) => {
    test("has every gauge, and requests by the template of their route, never by an id", async () => {
      const manager = await (await server().company()).user("manager");
      const body = { title: "Boiler check", description: "Check it", markdown: "Look." };
      const { id } = await manager.client.sops.create({ body });
      await manager.client.sops.get({ params: { id } });
      await server().send({ path: `/api/nothing/${id}` });
      await server().send({ method: "BREW" as never, path: `/${id}` });
      const { status, body: text, headers } = await metricsOf(server(), { authorization: `Bearer ${token}` });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toContain("text/plain; version=0.0.4");
      for (const { name } of gauges) expect(text).toContain(`# TYPE ${name} gauge`);
      expect(text).toMatch(
        /^sopwright_request_seconds_count\{method="GET",route="\/api\/sops\/:id",status="200"\} 1$/m,
      );
      expect(text).toContain('route="/api/*",status="404"');
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
      expect(text).toMatch(/^sopwright_part_state\{part="database"\} 0$/m);
      // a company counts its SOPs in the transaction of the save
      expect(text).toMatch(/^sopwright_sops [1-9]\d*$/m);
      expect(text).not.toMatch(/^sopwright_backup_age_seconds \d/m);
      for (const secret of [id, manager.id, manager.companyId, manager.username]) expect(text).not.toContain(secret);
    });

    test("is for the token, and for who has a key of the installation", async () => {
      const allowed = async (headers: Record<string, string>) => (await metricsOf(server(), headers)).status;
      expect(await allowed({ authorization: `Bearer ${token}` })).toBe(200);
      expect(await allowed({ authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.7" })).toBe(200);
      expect(await allowed({ authorization: `Bearer ${token}x` })).toBe(403);
      expect(await allowed({})).toBe(403);
      const { keys } = server().running.services;
      const now = Math.floor(Date.now() / 1000);
      const proofOf = (seconds: number) => `Bearer ${createOperatorProof(keys, "status", seconds)}`;
      expect(await allowed({ authorization: proofOf(now) })).toBe(200);
      for (const wrong of [proofOf(now - 120), proofOf(now + 120), `${proofOf(now)}x`, `Bearer ${now}.`, "Bearer x"])
        expect([wrong, await allowed({ authorization: wrong })]).toEqual([wrong, 403]);
    });

    test("counts SOPs soon after they are written", async () => {
      const company = await server().company();
      const admin = await company.user("system_admin");
      const counted = async () => (await admin.client.status.get()).sops;
      const before = await counted();
      await admin.client.sops.create({ body: { title: "Valve", description: "D", markdown: "Open it." } });
      await expect.poll(counted, { timeout: 20_000 }).toBe(before + 1);
    });

    test("warns of a clock that is before the installation", async () => {
      const warnings = async () =>
        ((await server().send({ path: "/readyz" })).json() as { warnings?: string[] }).warnings ?? [];
      expect(await warnings()).toEqual([]);
      const now = server().clock.now();
      server().clock.set("1972-02-03T04:05:06.000Z");
      const made = now.slice(0, 10);
      expect(await warnings()).toContain(
        `the server's clock is wrong: it says 1972-02-03, and this installation was made on ${made}. Set the clock`,
      );
      server().clock.set(now);
      expect((await warnings()).filter((line) => line.includes("clock"))).toEqual([]);
    });

    test("is answered to system administrators alone", async () => {
      const company = await server().company();
      const admin = await company.user("system_admin");
      const status = await admin.client.status.get();
      expect(status.parts.map(({ part, state }) => [part, state])).toEqual([
        ["database", "ok"],
        ["disk", "ok"],
        ["jobs", "ok"],
        ["emails", "ok"],
        ["repositories", "ok"],
        ["search", "ok"],
        ["mirrors", "ok"],
        ["stored data", "ok"],
        ["backups", "off"],
      ]);
      expect(status.queues.map(({ queue }) => queue)).toEqual(expect.arrayContaining(["render", "print", "streams"]));
      const other = await company.user("company_admin");
      expect((await other.send({ path: "/api/admin/status" })).status).toBe(403);
    });

    test("names each part at /readyz, and warns of emails and commits that wait too long", async () => {
      const ready = async () =>
        (await server().send({ path: "/readyz" })).json() as { warnings?: string[]; parts: Record<string, string> };
      expect((await ready()).parts).toMatchObject({ database: "ok", emails: "ok", backups: "off" });
      const item = {
        companyId: null,
        kind: "mail",
        payload: {},
        state: "pending" as const,
        attempts: 3,
        lastError: null,
      };
      const later = new Date(server().clock.millis() + 3 * 3_600_000).toISOString();
      const outbox = server().db.collection("outbox");
      await outbox.insertOne({ _id: "late", ...item, dueAt: later, createdAt: server().clock.now() });
      const { db, repositories } = server().running.services;
      for (const { _id } of await db.collection("companies").find({})) await repositories.drain(_id);
      server().clock.advance(3_601_000);
      const late = await ready();
      expect(late.parts["emails"]).toBe("warning");
      expect(late.warnings).toEqual(["an email has waited for 60 minutes"]);
      await outbox.deleteOne({ _id: "late" });
      expect((await ready()).warnings).toBeUndefined();
    });
  },
  { env: { METRICS_TOKEN: token } },
);

test("a line of the log has company, user and route; a trusted proxy names request and trace", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = {
    "x-request-id": "edge-0123456789",
    traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    "x-forwarded-for": "203.0.113.7",
  };
  for (const hops of ["0", "1"]) {
    lines.length = 0;
    const server = await startServer("sqlite", { log, env: { TRUSTED_PROXIES: hops } });
    try {
      const user = await (await server.company()).user("viewer");
      const answer = await user.send({ path: "/api/auth/me", headers });
      const line = lines.find(({ msg, path }) => msg === "request" && path === "/api/auth/me");
      expect(line).toMatchObject({ companyId: user.companyId, userId: user.id, route: "/api/auth/me", status: 200 });
      expect(answer.headers.get("x-request-id")).toBe(line?.["requestId"]);
      if (hops === "1") expect(line).toMatchObject({ requestId: "edge-0123456789", traceId: trace });
      else expect([line?.["requestId"] === "edge-0123456789", line?.["traceId"]]).toEqual([false, undefined]);
    } finally {
      await server.stop();
    }
  }
});

test("without a token, /metrics is for this machine, and not for what a proxy passes on", async () => {
  const server = await startServer("sqlite");
  const allowed = async (headers: Record<string, string>) => (await metricsOf(server, headers)).status;
  expect(await allowed({})).toBe(200);
  for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "via"])
    expect([name, await allowed({ [name]: "203.0.113.7" })]).toEqual([name, 403]);
  expect(await allowed({ host: "rebound.example.org" })).toBe(403);
  await server.stop();
});

test("behind a public address, a request with a local host's name isn't from this machine", async () => {
  const keys = { statusProofs: (text: string) => [`proof-of-${text}`] };
  const isShown = async (publicUrl: string | null, headers: Record<string, string> = {}) => {
    const ctx = {
      path: "/metrics",
      hostname: "localhost",
      req: { socket: { remoteAddress: "::ffff:127.0.0.1" } },
      get: (name: string) => headers[name] ?? "",
      set: () => undefined,
      body: "",
    };
    const metrics = { text: async () => "metrics", contentType: "text/plain" };
    const status = async () => Promise.reject(new Error("not asked"));
    const shown = createStatusEndpoint({ status, metrics, config: { metricsToken: null, publicUrl }, keys });
    await shown(ctx as unknown as Context, async () => undefined);
    return ctx.body === "metrics";
  };
  const seconds = Math.floor(Date.now() / 1000);
  expect(await isShown(null)).toBe(true);
  expect(await isShown("http://localhost:3000")).toBe(true);
  expect(await isShown("https://sops.example.org")).toBe(false);
  const authorization = `Bearer ${seconds}.proof-of-${seconds}`;
  expect(await isShown("https://sops.example.org", { authorization })).toBe(true);
});
