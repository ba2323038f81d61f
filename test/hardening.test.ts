/** What every answer has and every row refuses, tested for the whole contract table. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { limits } from "#core/limits.ts";
import { paths } from "../server/paths.ts";
import { isRaw, isWrite, paramNames, pathOf, rows, type Row } from "./contract-rows.ts";
import type { Received } from "./http.ts";
import { describeServer, json, startServer, type TestUser } from "./server.ts";

const built = readdirSync(paths.web, { recursive: true, encoding: "utf8" });
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("schemas", () => {
  /** The objects of a schema that accept unknown keys, by their path. */
  function looseObjects(schema: z.ZodType, at: string, seen = new Set<z.ZodType>()): string[] {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const { def } = schema as unknown as { def: Record<string, unknown> };
    const inside = [
      def["innerType"],
      def["in"],
      def["out"],
      def["element"],
      def["valueType"],
      def["left"],
      def["right"],
    ];
    const found = [...inside, ...((def["options"] as unknown[] | undefined) ?? [])].flatMap((part) =>
      part instanceof z.ZodType ? looseObjects(part, at, seen) : [],
    );
    if (!(schema instanceof z.ZodObject)) return found;
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    if (!(schema.def.catchall instanceof z.ZodNever)) found.push(at);
    return [...found, ...fields.flatMap(([name, field]) => looseObjects(field, `${at}.${name}`, seen))];
  }

  test("finds a loose object in every place", () => {
    const hidden = z.strictObject({ a: z.array(z.object({ b: z.string() })).optional() });
    expect(looseObjects(hidden, "x")).toEqual(["x.a"]);
    expect(looseObjects(z.union([z.string(), z.looseObject({})]).nullish(), "x")).toEqual(["x"]);
  });

  test.each(rows.map((row) => [row.name, row] as const))("%s takes known fields and nothing else", (_, row) => {
    const { params, query, body } = row.schema;
    const parts = { params, query, body };
    const loose = Object.entries(parts).flatMap(([part, schema]) => (schema ? looseObjects(schema, part) : []));
    // clients send whole records back, and the server ignores the fields that it owns
    const ignored = loose.filter((at) => fieldsRead(row, at));
    expect(ignored).toEqual([]);
  });

  /** Only `ServerOwned.record`, or a list of them, may be loose: a field that is accepted and dropped. */
  function fieldsRead(row: Row, at: string): boolean {
    const [part = "", ...names] = at.split(".");
    let schema: unknown = (row.schema as unknown as Record<string, z.ZodType>)[part];
    for (const name of names) {
      while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
        schema = schema.unwrap();
      }
      schema = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>)[name] : undefined;
    }
    const isOwned =
      schema instanceof z.ZodType &&
      ["text", 1, true, [1]].every((value) => !schema.safeParse(value).success) &&
      [{ whatever: 1 }, [{ whatever: 1 }]].some((value) => schema.safeParse(value).success) &&
      schema.safeParse(null).success;
    return !isOwned;
  }
});

describeServer("every answer", (server) => {
  let admin: TestUser;
  beforeAll(async () => {
    admin = await (await server().company()).user("system_admin");
  });

  /** Faults in the headers that every answer must have. */
  function faults({ headers }: Received): string[] {
    const policy = headers.get("content-security-policy") ?? "";
    const found = [
      !policy.includes("default-src 'none'") && "a policy that begins with nothing",
      /unsafe|\*|https?:/.test(policy) && "a policy without holes",
      !policy.includes("frame-ancestors 'none'") && "no framing",
      headers.get("x-content-type-options") !== "nosniff" && "nosniff",
      headers.get("cross-origin-resource-policy") !== "same-origin" && "no foreign embedding",
      headers.get("access-control-allow-origin") !== null && "no CORS",
      (headers.get("x-powered-by") ?? headers.get("server")) !== null && "nothing about its make",
      headers.get("x-request-id") === null && "a number",
    ];
    return found.filter((one) => typeof one === "string");
  }

  test("pages, files, health, the API and its errors carry the headers of their class", async () => {
    const { sha256 } = (
      await admin.send({ method: "POST", path: "/api/assets", headers: { "content-type": "image/png" }, body: png })
    ).json() as { sha256: string };
    const sop = await admin.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
    const file = built.find((name) => name.startsWith("assets") && name.endsWith(".js"));
    if (!file) throw new Error("the web app is not built: npm run build");
    const send = (method: string, at: string) => admin.send({ method, path: at, headers: json });
    const pages = ["/", "/sops", "/sop/1/edit", "/reset-password?token=x", "/register?invite=x", "/setup?token=x"];
    const answers: [string, number, Received][] = [];
    const add = async (status: number, name: string, answer: Promise<Received>) =>
      answers.push([name, status, await answer]);
    for (const page of pages) await add(200, page, send("GET", page));
    await add(200, "script", send("GET", `/${file.split(path.sep).join("/")}`));
    await add(200, "icon", send("GET", "/icon.svg"));
    await add(200, "alive", send("GET", "/healthz"));
    await add(200, "ready", send("GET", "/readyz"));
    await add(200, "OpenAPI", send("GET", "/api/openapi.json"));
    await add(200, "API", send("GET", "/api/sops"));
    await add(200, "image", send("GET", `/api/assets/${sha256}.png`));
    await add(200, "export", send("GET", `/api/sops/${sop.id}/export`));
    await add(404, "no such call", send("GET", "/api/nothing"));
    await add(404, "no such file", send("GET", "/assets/nothing.js"));
    await add(404, "no address", send("GET", "/api/sops/%ff"));
    await add(404, "no such page to write to", send("POST", "/nothing"));
    await add(405, "another method", send("PUT", "/api/sops"));
    await add(405, "a method of no use", send("PATCH", "/api/sops"));
    await add(401, "nobody", server().send({ path: "/api/sops" }));
    await add(
      403,
      "another site",
      admin.send({ method: "POST", path: "/api/sops", headers: { ...json, origin: "null" } }),
    );
    await add(415, "no JSON", admin.send({ method: "POST", path: "/api/sops", headers: {}, body: "x" }));
    await add(
      304,
      "unchanged",
      admin.send({ path: `/api/assets/${sha256}.png`, headers: { "if-none-match": `"${sha256}"` } }),
    );
    expect(answers.map(([name, , answer]) => [name, answer.status, faults(answer)])).toEqual(
      answers.map(([name, status]) => [name, status, []]),
    );
    const header = (name: string, key: string) => answers.find(([one]) => one === name)?.[2].headers.get(key);
    for (const page of pages.slice(0, 3)) expect(header(page, "referrer-policy")).toBe("same-origin");
    for (const page of pages.slice(3)) expect(header(page, "referrer-policy")).toBe("no-referrer");
    for (const name of ["API", "OpenAPI", "no such call", "nobody", "another site", "no JSON", "alive", "export"]) {
      expect([name, header(name, "cache-control")]).toEqual([name, "no-store"]);
    }
    expect(header("image", "content-security-policy")).toContain("sandbox");
  });

  test("the frame of a diagram has no network, no origin and no foreign page around it", async () => {
    const page = await server().send({ path: "/diagram.html" });
    expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'unsafe-inline'",
      "img-src data:",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "sandbox allow-scripts",
    ]);
    expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    const library = built.find((name) => /mermaid\.tiny-[\w-]+\.js$/.test(name)) ?? "";
    // no origin of its own: to it, the scripts of this server are foreign
    for (const script of ["/diagram.js", `/${library.split(path.sep).join("/")}`]) {
      const { status, headers } = await server().send({ path: script });
      expect([script, status, headers.get("cross-origin-resource-policy")]).toEqual([script, 200, "cross-origin"]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    for (const other of [
      "/diagram.html/",
      "/diagram.js.map",
      "/assets/mermaid.tiny-.js",
      "/api/diagram.js",
      "/theme.js",
    ]) {
      const { headers } = await server().send({ path: other });
      expect([other, headers.get("cross-origin-resource-policy")]).toEqual([other, "same-origin"]);
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
    }
  });

  test.each(rows.map((row) => [row.name, row] as const))("%s carries them when it refuses", async (_, row) => {
    for (const send of [server().send, admin.send]) {
      const answer = await send({ method: row.route.method, path: `${pathOf(row)}?nonsense=1`, headers: json });
      expect([answer.status >= 400 && answer.status < 500, faults(answer)]).toEqual([true, []]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("the page runs no script and wears no style of its own", () => {
    const page = readFileSync(path.join(paths.web, "index.html"), "utf8");
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes = "", text = ""] of scripts) {
      expect([attributes, /\bsrc="\/[^/]/.test(attributes), text.trim()]).toEqual([attributes, true, ""]);
    }
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/i);
  });
});

describeServer("every row that writes", (server) => {
  let admin: TestUser;
  beforeAll(async () => {
    admin = await (await server().company()).user("system_admin");
  });

  const refused = (status: number) => status >= 400 && status < 500;
  const writes = rows.filter((row) => isWrite(row) && !isRaw(row));
  const nest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  const bodies: [string, string | Buffer, Record<string, string>][] = [
    ["lists in lists", nest("[", "]", limits.jsonDepth + 2), json],
    ["objects in objects", `${'{"a":'.repeat(40)}1${"}".repeat(40)}`, json],
    ["depth by the thousand", nest("[", "]", 5_000), json],
    ["__proto__", '{"__proto__":{"role":"system_admin"}}', json],
    ["__proto__ written otherwise", '{"\\u005f_proto__":{"role":"system_admin"}}', json],
    ["__proto__ within", '{"name":{"__proto__":[]}}', json],
    ["constructor", '{"constructor":{"prototype":{"role":"system_admin"}}}', json],
    ["an operator", '{"$gt":""}', json],
    ["a path", '{"settings.documentControl":"flexible"}', json],
    ["a key twice", '{"name":"a","name":"b"}', json],
    ["a text", '"name"', json],
    ["a number", "1e999", json],
    ["null", "null", json],
    ["half", '{"name":', json],
    ["two", "{}{}", json],
    ["a comment", "{/**/}", json],
    ["other bytes", Buffer.from([0x7b, 0xff, 0x7d]), json],
    ["UTF-16", Buffer.from('{"name":"a"}', "utf16le"), json],
    ["gzip", gzipSync(Buffer.alloc(100_000)), { ...json, "content-encoding": "gzip" }],
    ["a form", "name=a", { "content-type": "application/x-www-form-urlencoded" }],
    ["plain text", "{}", { "content-type": "text/plain" }],
    ["no type", '{"name":1}', {}],
  ];

  test.each(writes.map((row) => [row.name, row] as const))("%s refuses what no form sends", async (_, row) => {
    for (const [name, body, headers] of bodies) {
      const answer = await admin.send({
        method: row.route.method,
        path: pathOf(row),
        headers: { ...headers, origin: server().url },
        body,
      });
      expect([name, answer.status, refused(answer.status)]).toEqual([name, answer.status, true]);
      expect(Object.keys(answer.json() as object)).toEqual(expect.arrayContaining(["code", "message"]));
      expect(answer.bytes.length).toBeLessThan(20_000);
    }
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  test.each(writes.map((row) => [row.name, row] as const))("%s stops reading at its limit", async (_, row) => {
    const limit = {
      json: limits.json,
      "sign-in": limits.signIn,
      import: limits.importRequest,
      "raw-asset": 0,
      "raw-import": 0,
    }[row.route.body ?? "json"];
    const send = (size: number, headers: Record<string, string> = {}) =>
      admin.send({
        method: row.route.method,
        path: pathOf(row),
        headers: { ...json, origin: server().url, ...headers },
        body: " ".repeat(size),
      });
    expect([413, 429]).toContain((await send(limit + 1)).status);
    expect([400, 429]).toContain((await send(limit)).status);
  });

  const hostileIds = [
    "%00",
    "..%2f..%2fetc",
    "__proto__",
    "$ne",
    "x".repeat(101),
    "%F0%9F%92%A3",
    "1;DROP",
    "%25",
    "[$gt]=",
  ];
  test.each(rows.filter((row) => paramNames(row).length > 0).map((row) => [row.name, row] as const))(
    "%s knows no such id",
    async (_, row) => {
      for (const id of hostileIds) {
        const at = row.route.path.replaceAll(/:\w+/g, id);
        const answer = await admin.send({
          method: row.route.method,
          path: at,
          headers: json,
          ...(isWrite(row) ? { body: "{}" } : {}),
        });
        expect([id, answer.status, refused(answer.status)]).toEqual([id, answer.status, true]);
      }
    },
  );

  test.each(rows.map((row) => [row.name, row] as const))("%s survives odd headers", async (_, row) => {
    for (const [name, value] of [
      ["idempotency-key", "k".repeat(5_000)],
      ["if-match", '"v99999999999"'],
      ["if-none-match", "*".repeat(4_000)],
      ["authorization", "Basic YTpi"],
      ["authorization", `Bearer ${"x".repeat(4_000)}`],
      ["cookie", `sid=${"x".repeat(4_000)}; ; =; sid`],
      ["accept", "text/html;q=NaN,*/*;q=-1"],
      ["accept-encoding", "gzip;q=1.5, ,;"],
      ["range", "bytes=99-1"],
      ["last-event-id", "NaN"],
      ["content-type", "application/json; charset=utf-7"],
    ] as const) {
      const answer = await admin.send({
        method: row.route.method,
        path: `${pathOf(row)}?nonsense=1`,
        headers: { ...json, [name]: value },
      });
      expect([name, answer.status, refused(answer.status)]).toEqual([name, answer.status, true]);
    }
  });
});

describe("who calls, behind proxies", () => {
  const spoofed = "6.6.6.6, 7.7.7.7, 8.8.8.8";
  test.each([
    ["0", spoofed, "127.0.0.1"],
    ["1", spoofed, "8.8.8.8"],
    ["2", spoofed, "7.7.7.7"],
    ["3", spoofed, "6.6.6.6"],
    ["1", "", "127.0.0.1"],
  ])("%s trusted, %j claimed: it is %s", async (trusted, claimed, address) => {
    const server = await startServer("sqlite", { env: { TRUSTED_PROXIES: trusted } });
    try {
      const user = await (await server.company()).user("editor");
      const headers = { ...json, origin: server.url, ...(claimed ? { "x-forwarded-for": claimed } : {}) };
      const made = await user.send({
        method: "POST",
        path: "/api/tokens",
        headers: {
          ...headers,
          "x-forwarded-host": "evil.example",
          "x-forwarded-proto": "https",
          "x-real-ip": "6.6.6.6",
        },
        body: JSON.stringify({ name: "ci" }),
      });
      expect(made.status).toBe(201);
      const [row] = await server.db
        .forCompany(user.companyId)
        .collection("audit_logs")
        .find({ action: "token.create" });
      expect(row?.ipAddress?.replace("::ffff:", "")).toBe(address);
      const [mail] = await server.db.collection("outbox").find({});
      expect(JSON.stringify(mail ?? null)).not.toContain("evil.example");
    } finally {
      await server.stop();
    }
  });
});
