import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import Koa from "koa";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { createErrorMiddleware } from "./error-body.ts";
import { loadTerminalPackage, createTerminalPackageMiddleware } from "./terminal-package.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serverWith(files: Record<string, string>): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), "sop-packages-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  const app = new Koa();
  app.use(createErrorMiddleware(pino({ level: "silent" })));
  app.use(createTerminalPackageMiddleware(await loadTerminalPackage(dir)));
  const server = app.listen(0);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/cli/sopwright.tgz`;
}

describe("the package of the sop command", () => {
  test("is sent with its SHA-512, and not again to a client that has it", async () => {
    const url = await serverWith({ "sopwright-1.2.3.tgz": "bytes", "other-1.0.0.tgz": "no" });
    const sent = await fetch(url);
    expect(await sent.text()).toBe("bytes");
    const digest = createHash("sha512").update("bytes").digest("base64");
    expect(Object.fromEntries(sent.headers)).toMatchObject({
      "content-type": "application/gzip",
      "content-disposition": 'attachment; filename="sopwright-1.2.3.tgz"',
      "repr-digest": `sha-512=:${digest}:`,
    });
    const etag = sent.headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "if-none-match": etag, "cache-control": "max-age=0" } })).status).toBe(304);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "5", ""]);
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
  });

  test("is 404 with the way out before a build", async () => {
    const answer = await fetch(await serverWith({}));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      code: "not_found",
      message: "The package isn't built. Run npm run build on the server and restart it",
    });
  });
});
