/** How answers travel: their type, the transport security they ask for, what they never hold. Reading changes nothing. */
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { declarations, type Collections } from "../server/database/documents.ts";
import { createHttpServer } from "../server/http/listener.ts";
import { isWrite, pathOf, rows } from "./contract-rows.ts";
import { exchange } from "./http.ts";
import { describeServer, json, password, startServer, type TestServer } from "./server.ts";
import { kindOf, slotsOf } from "./tenancy/slots.ts";
import { createTenant, type Tenant } from "./tenancy/world.ts";
import { freePort } from "./free-port.ts";

const stylesheets = /\/assets\/[^"]+\.css/;

describeServer("answers", (server, engine) => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant(server());
  });

  test("say what they are, texts in which characters", async () => {
    const { people, ids } = tenant;
    const { send } = people.company_admin;
    const style = stylesheets.exec((await send({ path: "/" })).body)?.[0] ?? "";
    const types: [string, string][] = [
      ["/", "text/html; charset=utf-8"],
      ["/icon.svg", "image/svg+xml; charset=utf-8"],
      ["/theme.js", "text/javascript; charset=utf-8"],
      [style, "text/css; charset=utf-8"],
      ["/healthz", "application/json; charset=utf-8"],
      ["/api/openapi.json", "application/json; charset=utf-8"],
      ["/api/sops", "application/json; charset=utf-8"],
      ["/api/nothing", "application/json; charset=utf-8"],
      [`/api/sops/${ids["sop"]?.[0]}/export`, "text/markdown; charset=utf-8"],
      [`/api/sops/${ids["sop"]?.[0]}/export?format=json`, "application/json; charset=utf-8"],
      ["/api/company/audit/export?format=csv", "text/csv; charset=utf-8"],
      ["/api/company/audit/export?format=ndjson", "application/x-ndjson"],
      [`/api/assets/${ids["asset"]?.[0]}`, "image/png"],
    ];
    for (const [path, type] of types)
      expect([path, (await send({ path })).headers.get("content-type")]).toEqual([path, type]);
  });

  test("hold no file but those of the web app, and no list of them", async () => {
    const page = (await server().send({ path: "/" })).body;
    for (const path of [
      "/.git/config",
      "/package.json",
      "/.env",
      "/keys",
      "/data/keys",
      "/sopwright.db",
      "/assets/",
      "/assets",
      "/../package.json",
      "/..%2f..%2fpackage.json",
      "/assets/..%2f..%2f..%2fpackage.json",
      "/assets/%2e%2e/%2e%2e/server/main.ts",
      "//etc/passwd",
      "/index.html.map",
    ]) {
      const answer = await server().send({ path });
      // an address of the app answers its page
      expect([path, answer.status === 404 || answer.body === page]).toEqual([path, true]);
    }
  });

  test("under paths of other programs, and to names of files, are never the app's page", async () => {
    const paths = ["/scim", "/scim/v2/Users", "/.well-known", "/.well-known/openid-configuration", "/cli/nothing"];
    for (const path of [
      ...paths,
      "/api",
      "/git/x.git",
      "/mcp",
      "/robots.txt",
      "/wp-login.php",
      "/sop/x.html",
      "/SCIM/v2",
      "/scim%2Fv2",
      "/x.php/",
    ]) {
      const answer = await server().send({ path });
      expect([path, answer.status, answer.json()]).toEqual([path, 404, { code: "not_found", message: "Not found" }]);
    }
  });

  test("to TRACE repeat nothing of the request", async () => {
    for (const path of ["/", "/api/sops", "/healthz"]) {
      const headers = { cookie: "sid=echo-me", "x-echo": "echo-me" };
      const answer = await server().send({ method: "TRACE", path, headers });
      expect([path, answer.status >= 400 || path === "/healthz", answer.body.includes("echo-me")]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });

  test("to reads leave everything as it was but counts of views and what was opened last", async () => {
    const { company, people, ids } = tenant;
    await server().running.services.repositories.drain(company.id);
    const before = await stateOf(server(), company.id);
    for (const row of rows.filter((one) => !isWrite(one) && one.route.kind !== "stream")) {
      const { path } = row.route;
      const isAdmin = path.startsWith("/api/admin/");
      const params = isAdmin
        ? { id: company.id }
        : Object.fromEntries(
            slotsOf(row)
              .filter(({ where, name }) => where === "path" && ids[kindOf(path, name)] !== undefined)
              .map(({ name }) => [name, ids[kindOf(path, name)]?.[0] ?? ""]),
          );
      const query = path.startsWith("/api/admin/audit") ? `?companyId=${company.id}` : "";
      const who = isAdmin ? people.system_admin : people.company_admin;
      const { status } = await who.send({ path: pathOf(row, params) + query });
      expect([path, status === 200 || path.includes(":")]).toEqual([path, true]);
    }
    expect(await stateOf(server(), company.id)).toEqual(before);
  });

  test("behind https all ask for https from then on, and so does every cookie", async () => {
    const port = await freePort();
    const own = await startServer(engine, { env: { PORT: `${port}`, PUBLIC_URL: "https://sop.example.org" } });
    try {
      for (const [method, path, status] of [
        ["GET", "/", 200],
        ["GET", "/icon.svg", 200],
        ["GET", "/healthz", 200],
        ["GET", "/api/auth/check", 200],
        ["GET", "/api/auth/me", 401],
        ["GET", "/api/nothing", 404],
        ["PATCH", "/api/sops", 403],
        ["POST", "/api/sops", 403],
      ] as const) {
        const answer = await exchange(`http://127.0.0.1:${port}`, { method, path, headers: { cookie: "a=b" } });
        expect([path, answer.status, answer.headers.get("strict-transport-security")]).toEqual([
          path,
          status,
          "max-age=31536000; includeSubDomains",
        ]);
      }
      const registered = await exchange(`http://127.0.0.1:${port}`, {
        method: "POST",
        path: "/api/auth/register",
        headers: { ...json, origin: "https://sop.example.org" },
        body: JSON.stringify({ username: "someone", password, name: "Some One" }),
      });
      const cookies = registered.headers.all("set-cookie");
      expect(cookies.length).toBeGreaterThan(1);
      for (const cookie of cookies)
        expect(cookie).toMatch(
          /^__Host-[\w-]+=[\w-]{43}; path=\/; max-age=\d+; expires=[^;]+; samesite=lax; secure; httponly$/i,
        );
    } finally {
      await own.stop();
    }
  });
});

/** Everything a company holds, except visits and reads. */
async function stateOf({ db }: TestServer, companyId: string): Promise<Record<string, unknown>> {
  const traces = ["audit_logs", "audit_checkpoints", "sessions", "sop_uses"];
  const names = Object.entries(declarations).flatMap(([name, { tenant }]) =>
    tenant ? [name as keyof Collections] : [],
  );
  const held = await Promise.all(
    names
      .filter((name) => !traces.includes(name))
      .map(
        async (name) =>
          [
            name,
            await db
              .forCompany(companyId)
              .collection(name)
              .find({}, { sort: { _id: 1 } }),
          ] as const,
      ),
  );
  const company = await db.collection("companies").findOne({ _id: companyId });
  return JSON.parse(
    JSON.stringify({ company, ...Object.fromEntries(held) }, (key, value: unknown) => (key === "views" ? 0 : value)),
  ) as Record<string, unknown>;
}

test("a request whose end can be read in two ways is none", async () => {
  const served: string[] = [];
  const listener = createHttpServer((request, response) => {
    served.push(request.url ?? "");
    request.resume().on("end", () => response.end("served"));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const head of [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "Content-Length: 0\r\nContent-Length: 5\r\n\r\n",
    "Transfer-Encoding: xchunked\r\n\r\n",
    "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Content-Length: +0\r\n\r\n",
    "X: a\nContent-Length: 0\r\n\r\n",
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST /front HTTP/1.1\r\nHost: x\r\n${head}${smuggled}`);
    expect([head, await text(socket)]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
  }
  listener.close();
  expect(served.filter((url) => url === "/smuggled")).toEqual([]);
});
