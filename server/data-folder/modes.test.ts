import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient } from "#core/contract/client.ts";
import { routes } from "#core/contract/routes.ts";
import type { Schemas } from "#core/contract/schemas.ts";
import { exchange } from "../../test/http.ts";
import { startProcess } from "../../test/server-process.ts";
import { closeDataFolder, isOwnEntry } from "./modes.ts";
import { pngOf } from "../../test/images.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "sopwright-modes-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Everything below a folder that another user may read, write or list, the folder included. */
function openEntries(folder: string): string[] {
  const found = (entry: string): string[] => {
    const { mode } = lstatSync(entry);
    const inside = lstatSync(entry).isDirectory()
      ? readdirSync(entry).flatMap((name) => found(`${entry}/${name}`))
      : [];
    return [...((mode & 0o077) === 0 ? [] : [`${entry} ${(mode & 0o777).toString(8)}`]), ...inside];
  };
  return found(folder);
}

describe("a server that is used", () => {
  const admin = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river" };

  async function useEverything(url: string): Promise<void> {
    const json = { "content-type": "application/json", origin: url };
    const body = JSON.stringify({ username: admin.ADMIN_USERNAME, password: admin.ADMIN_PASSWORD });
    const signedIn = await exchange(url, { method: "POST", path: "/api/auth/login", headers: json, body });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const own = { cookie, origin: url };
    const client = createClient<Schemas>(routes, ({ url: target, ...request }) =>
      exchange(url, { ...request, path: target, headers: { ...request.headers, ...own } }),
    );
    const png = pngOf("bytes");
    const headers = { ...own, "content-type": "image/png" };
    const stored = await exchange(url, { method: "POST", path: "/api/assets", headers, body: png });
    expect(stored.status).toBe(201);
    const { id } = await client.sops.create({
      body: { title: "Valve", description: "D", markdown: "Open the valve." },
    });
    await client.sops.publish({ params: { id }, body: {} });
    expect((await client.search.find({ query: { q: "valve" } })).data).toHaveLength(1);
    for (const format of ["pdf", "docx"]) {
      const made = await exchange(url, { path: `/api/sops/${id}/export?format=${format}`, headers: own });
      expect([format, made.status]).toEqual([format, 200]);
    }
    const converted = await exchange(url, {
      method: "POST",
      path: "/api/sops/import/convert?name=a.md",
      headers: { ...own, "content-type": "application/octet-stream" },
      body: "# Pump\n\nStop the pump.\n",
    });
    expect(converted.status).toBe(200);
    await client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
    const register = JSON.stringify({ username: "ada", password: "a walk", name: "Ada", email: "ada@example.org" });
    const registered = { method: "POST", path: "/api/auth/register", headers: json, body: register };
    expect((await exchange(url, registered)).status).toBe(201);
    await vi.waitFor(() => expect(readdirSync(path.join(dir, "data", "mail"))).toHaveLength(1), 20_000);
    await vi.waitFor(async () => expect((await client.repository.get()).lag).toBe(0), 20_000);
  }

  test.each([
    ["000", 0o000],
    ["022", 0o022],
  ])("under umask %s leaves nothing in its data folder that others may open", { timeout: 90_000 }, async (_, mask) => {
    const data = path.join(dir, "data");
    const before = process.umask(mask);
    const env = { ...admin, DATA_DIR: data, TMPDIR: dir, LOG_LEVEL: "silent", PASSWORD_BLOCKLIST: "off" };
    const server = await startProcess(env).finally(() => process.umask(before));
    try {
      await useEverything(server.url);
      const entries = readdirSync(data);
      expect(entries).toEqual(
        expect.arrayContaining(["keys", "mail", "repositories", "search", "sopwright.db", "sopwright.db-wal"]),
      );
      expect(entries.filter((name) => !isOwnEntry(name))).toEqual([]);
      expect(openEntries(data)).toEqual([]);
    } finally {
      await server.stop("SIGTERM");
    }
    expect(openEntries(data)).toEqual([]);
  });
});

describe("a data folder that is open to others", () => {
  const entry = (name: string) => path.join(dir, name);
  const make = () => {
    mkdirSync(entry("repositories/c.git/objects/ab"), { recursive: true });
    mkdirSync(entry("search"));
    const files = ["sopwright.db", "sopwright.db-wal", "keys", "search/c.db", "repositories/c.git/objects/ab/cd"];
    for (const name of files) writeFileSync(entry(name), "x", { mode: 0o644 });
    for (const name of ["repositories", "repositories/c.git/objects", "search", "."]) chmodSync(entry(name), 0o755);
  };

  test("is closed with everything in it, and stays usable by its owner", async () => {
    make();
    expect(openEntries(dir).length).toBeGreaterThan(5);
    await closeDataFolder(dir);
    expect(openEntries(dir)).toEqual([]);
    expect(lstatSync(entry("search")).mode & 0o700).toBe(0o700);
    expect(lstatSync(entry("keys")).mode & 0o700).toBe(0o600);
  });

  test("is closed to the group that shares it, too", async () => {
    make();
    chmodSync(dir, 0o2770);
    await closeDataFolder(dir);
    expect(openEntries(dir)).toEqual([]);
  });

  test("keeps what isn't the server's own as it is, and says so", async () => {
    make();
    writeFileSync(entry("report.txt"), "x");
    chmodSync(entry("report.txt"), 0o644);
    const outside = mkdtempSync(path.join(tmpdir(), "sopwright-outside-"));
    chmodSync(outside, 0o755);
    symlinkSync(outside, entry("mail"));
    const warnings: unknown[] = [];
    await closeDataFolder(dir, { warn: (...told: unknown[]) => warnings.push(told[0]) } as never);
    expect(warnings).toEqual([{ dataDir: dir, foreign: ["report.txt"] }]);
    expect(openEntries(dir).filter((line) => !line.includes("mail"))).toEqual([`${dir} 755`, `${dir}/report.txt 644`]);
    expect(lstatSync(outside).mode & 0o777).toBe(0o755);
    rmSync(outside, { recursive: true });
  });

  test("is closed inside its closed folders too", async () => {
    make();
    await closeDataFolder(dir);
    chmodSync(entry("repositories/c.git/objects"), 0o755);
    chmodSync(entry("repositories/c.git/objects/ab/cd"), 0o644);
    chmodSync(entry("search/c.db"), 0o640);
    await closeDataFolder(dir);
    expect(openEntries(dir)).toEqual([]);
  });

  test("leaves what a link inside it names as it is", async () => {
    make();
    const outside = mkdtempSync(path.join(tmpdir(), "sopwright-outside-"));
    writeFileSync(path.join(outside, "file"), "x");
    for (const one of [outside, path.join(outside, "file")]) chmodSync(one, 0o755);
    symlinkSync(outside, entry("repositories/link"));
    symlinkSync(path.join(outside, "file"), entry("search/link"));
    await closeDataFolder(dir);
    for (const one of [outside, path.join(outside, "file")]) expect(lstatSync(one).mode & 0o777).toBe(0o755);
    rmSync(outside, { recursive: true });
  });
});
