import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { exchange } from "../../test/http.ts";
import { startProcess } from "../../test/server-process.ts";
import { makeDataFolderPrivate, isOwnEntry } from "./modes.ts";
import { pngOf } from "../../test/images.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "sopwright-modes-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Every folder that allows more than 0700 and every file that allows more than 0600, the folder itself included. */
function openEntries(folder: string): string[] {
  const found = (entry: string): string[] => {
    const stats = lstatSync(entry);
    const inside = stats.isDirectory() ? readdirSync(entry).flatMap((name) => found(`${entry}/${name}`)) : [];
    const more = stats.mode & 0o7777 & (stats.isDirectory() ? ~0o700 : ~0o600);
    return [...(more === 0 ? [] : [`${entry} ${(stats.mode & 0o7777).toString(8)}`]), ...inside];
  };
  return found(folder);
}

describe("the data folder of a used server", () => {
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
  ])("under umask %s has nothing that other users can open", { timeout: 90_000 }, async (_, mask) => {
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

test("all entries of the data folder that docs/security.md names are the server's own", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/security.md"), "utf8");
  const part = page.split(/^## /m).find((one) => one.startsWith("The data folder")) ?? "";
  const rows = [...part.matchAll(/^\| (`.+?) \|/gm)].map((row) => row[1] ?? "");
  const names = rows.flatMap((row) => [...row.matchAll(/`([\w.][\w.-]*)\/?`/g)].map((name) => name[1] ?? ""));
  expect(names).toEqual(expect.arrayContaining(["sopwright.db", "search", "sopwright.lock"]));
  expect(names.filter((name) => !isOwnEntry(name))).toEqual([]);
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
    await makeDataFolderPrivate(dir);
    expect(openEntries(dir)).toEqual([]);
    expect(lstatSync(entry("search")).mode & 0o700).toBe(0o700);
    expect(lstatSync(entry("keys")).mode & 0o700).toBe(0o600);
  });

  test("is closed to the group that shares it, too", async () => {
    make();
    chmodSync(dir, 0o2770);
    await makeDataFolderPrivate(dir);
    expect(openEntries(dir)).toEqual([]);
  });

  const modeOf = (file: string) => lstatSync(file).mode & 0o7777;
  const everything = () => ["", ...readdirSync(dir, { recursive: true, encoding: "utf8" })].map(entry);
  const close = async () => {
    const warnings: unknown[] = [];
    await makeDataFolderPrivate(dir, { warn: (...said: unknown[]) => warnings.push(said[0]) } as never);
    return warnings;
  };

  test("after chmod -R 777 has folders with 0700 and files with 0600, and nothing else", async () => {
    make();
    for (const one of everything()) chmodSync(one, 0o777);
    await makeDataFolderPrivate(dir);
    const modes = everything().map((one) => [one, modeOf(one).toString(8)]);
    expect(modes).toEqual(everything().map((one) => [one, lstatSync(one).isDirectory() ? "700" : "600"]));
  });

  test("loses special bits, and gets none that its owner removed", async () => {
    make();
    chmodSync(entry("keys"), 0o4755);
    chmodSync(entry("search"), 0o2755);
    chmodSync(entry("search/c.db"), 0o444);
    await makeDataFolderPrivate(dir);
    expect(["keys", "search", "search/c.db"].map((name) => modeOf(entry(name)).toString(8))).toEqual([
      "600",
      "700",
      "400",
    ]);
  });

  test("is closed around files of other programs, which keep their modes and are named", async () => {
    make();
    writeFileSync(entry("report.txt"), "x");
    chmodSync(entry("report.txt"), 0o644);
    mkdirSync(entry("lost+found"));
    chmodSync(entry("lost+found"), 0o755);
    const outside = mkdtempSync(path.join(tmpdir(), "sopwright-outside-"));
    chmodSync(outside, 0o755);
    symlinkSync(outside, entry("mail"));
    expect(await close()).toEqual([{ dataDir: dir, foreign: ["report.txt"] }]);
    expect(openEntries(dir).filter((line) => !line.includes("mail"))).toEqual([
      `${dir}/lost+found 755`,
      `${dir}/report.txt 644`,
    ]);
    expect(lstatSync(outside).mode & 0o777).toBe(0o755);
    rmSync(outside, { recursive: true });
    expect(await close()).toEqual([]);
  });

  test("stays open if all users share it, such as /tmp; the server's own files there are closed", async () => {
    make();
    writeFileSync(entry("report.txt"), "x", { mode: 0o600 });
    chmodSync(dir, 0o1777);
    expect(await close()).toEqual([{ dataDir: dir, foreign: ["report.txt"] }]);
    expect(openEntries(dir)).toEqual([`${dir} 1777`]);
  });

  test("is closed where DATA_DIR is a link to it", async () => {
    make();
    const link = `${dir}.link`;
    symlinkSync(dir, link);
    await makeDataFolderPrivate(link).finally(() => rmSync(link));
    expect(openEntries(dir)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)("is closed around entries of another user, which are named", async () => {
    make();
    chownSync(entry("keys"), 1, 1);
    chmodSync(entry("repositories/c.git/objects/ab"), 0o700);
    chownSync(entry("repositories/c.git/objects/ab"), 1, 1);
    mkdirSync(entry("lost+found"), { mode: 0o700 });
    chownSync(entry("lost+found"), 1, 1);
    const user = 65_534;
    for (const one of everything()) if (lstatSync(one).uid === 0) chownSync(one, user, user);
    const source = `import { makeDataFolderPrivate } from ${JSON.stringify(path.resolve("server/data-folder/modes.ts"))};
      process.setuid(${user});
      await makeDataFolderPrivate(${JSON.stringify(dir)}, { warn: (said) => console.log(JSON.stringify(said)) });`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
    const warnings = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect([stderr, warnings]).toEqual([
      "",
      [{ dataDir: dir, code: "EACCES", failed: 2, entries: ["keys", "repositories/c.git/objects/ab"] }],
    ]);
    expect(openEntries(dir)).toEqual([`${dir}/keys 644`, `${dir}/repositories/c.git/objects/ab/cd 644`]);
  });

  test("is closed inside its closed folders too", async () => {
    make();
    await makeDataFolderPrivate(dir);
    chmodSync(entry("repositories/c.git/objects"), 0o755);
    chmodSync(entry("repositories/c.git/objects/ab/cd"), 0o644);
    chmodSync(entry("search/c.db"), 0o640);
    await makeDataFolderPrivate(dir);
    expect(openEntries(dir)).toEqual([]);
  });

  test("keeps the target of a link inside it as it is", async () => {
    make();
    const outside = mkdtempSync(path.join(tmpdir(), "sopwright-outside-"));
    writeFileSync(path.join(outside, "file"), "x");
    for (const one of [outside, path.join(outside, "file")]) chmodSync(one, 0o755);
    symlinkSync(outside, entry("repositories/link"));
    symlinkSync(path.join(outside, "file"), entry("search/link"));
    await makeDataFolderPrivate(dir);
    for (const one of [outside, path.join(outside, "file")]) expect(lstatSync(one).mode & 0o777).toBe(0o755);
    rmSync(outside, { recursive: true });
  });
});
