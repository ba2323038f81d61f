/** Every command of `docs/backup.md`, section by section, with the built programs. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../server/config.ts";
import { serveRequests } from "../server/serve.ts";
import { exchange } from "./http.ts";
import { pngOf } from "./images.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { startS3 } from "./s3.ts";
import { cookieOf, json } from "./server.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-backup-page-"));
const dataDir = path.join(root, "data");
const passphrase = "copper lantern drifts sideways";
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The commands of each section that has some, in their order. */
const sections = new Map(
  readFileSync(path.join(project, "docs/backup.md"), "utf8")
    .split(/^## /m)
    .map((section): [string, string[]] => [
      section.split("\n")[0] ?? "",
      [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = ""]) => commands),
    ])
    .filter(([, commands]) => commands.length > 0),
);

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** In one shell, as an operator types them. */
function shell(commands: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn("bash", ["-e", "-c", commands.join("\n")], {
    cwd: root,
    env: { ...nodeEnv, PATH: `${root}/bin:${nodeEnv.PATH}`, DATA_DIR: dataDir, LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ran: Ran = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  return new Promise((done) => child.once("close", (code) => done({ ...ran, code })));
}

beforeAll(async () => {
  mkdirSync(path.join(root, "bin"));
  const sop = path.join(root, "bin", "sop");
  writeFileSync(sop, `#!/bin/sh\nexec ${node} ${path.join(project, "dist/sop.js")} "$@"\n`);
  chmodSync(sop, 0o755);
  expect(await shell([`sop admin demo --data-dir ${dataDir}`])).toMatchObject({ code: 0 });
  const config = readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", PASSWORD_BLOCKLIST: "off" });
  const server = await serveRequests({ config });
  const send = async (path: string, headers: Record<string, string>, body: string | Buffer) => {
    const answer = await exchange(server.url, {
      method: "POST",
      path,
      headers: { origin: server.url, ...headers },
      body,
    });
    expect([path, answer.status]).toEqual([path, 201]);
    return answer;
  };
  const person = JSON.stringify({ username: "with-images", password: passphrase, name: "Ann" });
  const cookie = cookieOf(await send("/api/auth/register", json, person));
  for (const name of ["one", "two"]) await send("/api/assets", { cookie, "content-type": "image/png" }, pngOf(name));
  await server.stop();
}, 120_000);

const isEqual = /^backup {8}ok, \d+ checked$/gm;

test("the page has these sections with commands", () => {
  expect([...sections.keys()]).toEqual(["Rehearse it", "Moving between SQLite and MongoDB", "Moving images and PDFs"]);
});

test("the rehearsal restores and compares, and removes what it made", { timeout: 120_000 }, async () => {
  const ran = await shell(sections.get("Rehearse it") ?? []);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout.match(isEqual)).toHaveLength(1);
  expect(ran.stdout).not.toMatch(/DAMAGED|DIFFERS/);
  for (const left of ["rehearsal", "rehearsal.ndjson.gz"]) expect(existsSync(path.join(root, left))).toBe(false);
});

test("the move to MongoDB and back keeps everything", { timeout: 240_000 }, async (context) => {
  const [uri] = inject("mongoUris");
  if (uri === undefined) return context.skip();
  const database = new URL(uri);
  database.pathname = `/moved_${process.pid}`;
  const env = { NEW_MONGODB_URI: database.href, BACKUP_PASSPHRASE: passphrase };
  const ran = await shell(sections.get("Moving between SQLite and MongoDB") ?? [], env);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout.match(isEqual)).toHaveLength(2);
  expect(ran.stdout).not.toMatch(/DAMAGED|DIFFERS/);
  const again = await shell(["sop admin restore ./back.ndjson.gz"], env);
  expect(again).toMatchObject({ code: 6 });
  expect(again.stderr).toMatch(/is in use: it has /);
});

test(
  "images move to an S3 store and back, and a wrong setting or key is refused in one line",
  { timeout: 240_000 },
  async () => {
    const s3 = await startS3();
    try {
      const { ASSET_STORE: _, ...settings } = s3.env;
      const env = { ...settings, BACKUP_PASSPHRASE: passphrase };
      const there = await shell(sections.get("Moving images and PDFs") ?? [], env);
      expect(there).toMatchObject({ code: 0 });
      expect(there.stdout.match(isEqual)).toHaveLength(1);
      const [, count = ""] = /^assets +ok, (\d+) checked$/m.exec(there.stdout) ?? [];
      expect(Number(count)).toBeGreaterThanOrEqual(2);
      expect([s3.objects.size, [...s3.objects.keys()].every((key) => key.startsWith("files/"))]).toEqual([
        Number(count),
        true,
      ]);

      const apart = { ...env, DATA_DIR: "./with-s3" };
      const without = await shell(["sop admin backup ./lost.ndjson.gz"], apart);
      expect(without).toMatchObject({ code: 5 });
      expect(without.stderr).toContain("are in an S3 store. Set ASSET_STORE");
      const unset = await shell(["sop admin verify"], apart);
      expect(unset).toMatchObject({
        code: 5,
        stdout: expect.stringMatching(/^assets +NOT CHECKED\n.*Set ASSET_STORE/m),
      });
      expect(unset.stdout).not.toContain("DAMAGED");
      const store = { ASSET_STORE: "s3://sops/files" };
      const refused = await shell(["sop admin backup ./lost.ndjson.gz"], {
        ...apart,
        ...store,
        S3_SECRET_ACCESS_KEY: "x",
      });
      expect(refused).toMatchObject({ code: 5 });
      expect(refused.stderr).toContain("it answers 403 SignatureDoesNotMatch: check ASSET_STORE and S3_…");
      expect(existsSync(path.join(root, "lost.ndjson.gz"))).toBe(false);

      const commands = [
        "sop admin backup ./home.ndjson.gz",
        "export DATA_DIR=./home ASSET_STORE=",
        "sop admin restore ./home.ndjson.gz",
        "sop admin verify --backup ./home.ndjson.gz",
      ];
      const home = await shell(commands, { ...apart, ...store });
      expect(home).toMatchObject({ code: 0 });
      expect(home.stdout.match(isEqual)).toHaveLength(1);
    } finally {
      await s3.stop();
    }
  },
);

test("the keys need a choice: a passphrase, or none", async () => {
  const refused = await shell(["sop admin backup ./keys.ndjson.gz"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("set BACKUP_PASSPHRASE, or use --without-keys");
  const made = await shell(["mkdir backups", "sop admin backup backups --without-keys --json"]);
  expect(made).toMatchObject({ code: 0 });
  const { data } = JSON.parse(made.stdout) as { data: { file: string; keys: boolean; documents: number } };
  expect(data).toMatchObject({
    keys: false,
    file: expect.stringMatching(/^backups\/sopwright-\d{8}T\d{6}Z-[0-9a-f]{12}\.ndjson\.gz$/),
  });
  const wrong = [
    "export DATA_DIR=./wrong BACKUP_PASSPHRASE='another passphrase'",
    "sop admin restore ./again.ndjson.gz",
  ];
  expect(await shell(["sop admin backup ./again.ndjson.gz"], { BACKUP_PASSPHRASE: passphrase })).toMatchObject({
    code: 0,
  });
  const denied = await shell(wrong);
  expect(denied).toMatchObject({ code: 4 });
  expect(denied.stderr).toContain("the passphrase is wrong");
  expect(existsSync(path.join(root, "wrong"))).toBe(false);
});
