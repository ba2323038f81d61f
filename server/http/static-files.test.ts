/** Which paths get the application's page, tried over HTTP with a page of the test's own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import Koa from "koa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchange } from "../../test/http.ts";
import { loadStaticFiles, createStaticFilesMiddleware } from "./static-files.ts";

const program = "export const answer = 42;".repeat(99);
const page = "<!doctype html><title>The page</title>";
let dir = "";
let server: Server;
let url = "";

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "sopwright-static-"));
  writeFileSync(path.join(dir, "index.html"), page);
  writeFileSync(path.join(dir, "theme.js"), "1");
  // as in the package, which has no third copy
  writeFileSync(path.join(dir, "app.js.gz"), gzipSync(program));
  writeFileSync(path.join(dir, "app.js.br"), brotliCompressSync(program));
  const app = new Koa().use(createStaticFilesMiddleware(await loadStaticFiles(dir)));
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  "/",
  "/sops",
  "/sop/new",
  "/category/0197",
  "/admin/users",
  "/reset-password",
  "/nothing",
  "/sops/",
  "/Sops",
])("%s gets the page", async (asked) => {
  const answer = await exchange(url, { path: asked });
  expect([answer.status, answer.body]).toEqual([200, page]);
});

const names = ["api", "git", "mcp", "scim", "cli", ".well-known", "healthz", "readyz", "metrics", "assets"];

test.each([
  ...names.flatMap((name) => [`/${name}`, `/${name}/`, `/${name}/x`, `/${name.toUpperCase()}/x`, `//${name}/x`]),
  "/scim%2Fv2",
  "/%73cim/v2",
  "/.well-known%2fx",
  "/%2Ewell-known/x",
  "/%2e%2e/scim",
  "/./scim",
  "/sops/../scim/v2",
  "/sops/..%2fscim",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/scim%5Cv2",
  "/\\scim",
  "/scim;v=2/Users",
  "///scim",
])("%s belongs to other programs and never gets the page", async (asked) => {
  expect((await exchange(url, { path: asked })).status).toBe(404);
});

test.each([
  "/index.html",
  "/x.php",
  "/x.php/",
  "/x.PHP",
  "/x%2Ephp",
  "/x.php%2f",
  "/x.php/y",
  "/.env",
  "/.git-credentials",
  "/x.php%00",
])("%s names a file and never gets the page", async (asked) => {
  expect((await exchange(url, { path: asked })).status).toBe(404);
});

test.each(["/%", "/%ff", "/sops/%zz", "/sops%00", "/sops%0a"])(
  "%s can't be an address and never gets the page",
  async (asked) => {
    expect((await exchange(url, { path: asked })).status).toBe(404);
  },
);

test("a file is found by its exact name only", async () => {
  expect((await exchange(url, { path: "/theme.js" })).status).toBe(200);
  for (const asked of ["/THEME.js", "//theme.js", "/theme%2ejs"]) {
    expect((await exchange(url, { path: asked })).status).toBe(404);
  }
});

test.each([
  ["br, gzip", "br", brotliCompressSync(program)],
  ["gzip", "gzip", gzipSync(program)],
  ["identity", null, Buffer.from(program)],
])("a file that is stored compressed answers %s", async (accepted, encoding, bytes) => {
  const answer = await exchange(url, { path: "/app.js", headers: { "accept-encoding": accepted } });
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-encoding")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
    encoding,
  ]);
  expect(answer.bytes.equals(bytes)).toBe(true);
  expect((await exchange(url, { path: "/app.js.gz" })).status).toBe(404);
});
