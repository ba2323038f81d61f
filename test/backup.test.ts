/** Every command of `docs/backup.md`, section by section, with the built programs. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { node, nodeEnv, project } from "./node-program.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-backup-page-"));
const dataDir = path.join(root, "data");
const passphrase = "correct horse battery staple";
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
}, 120_000);

const isEqual = /^backup {8}ok, \d+ checked$/gm;

test("the page has these sections with commands", () => {
  expect([...sections.keys()]).toEqual(["Rehearse it", "Moving between SQLite and MongoDB"]);
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

test("the keys need a choice: a passphrase, or none", async () => {
  const refused = await shell(["sop admin backup ./keys.ndjson.gz"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("set BACKUP_PASSPHRASE, or use --without-keys");
  const made = await shell(["mkdir backups", "sop admin backup backups --without-keys --json"]);
  expect(made).toMatchObject({ code: 0 });
  const { data } = JSON.parse(made.stdout) as { data: { file: string; keys: boolean; documents: number } };
  expect(data).toMatchObject({
    keys: false,
    file: expect.stringMatching(/^backups\/sopwright-\d{8}T\d{6}Z\.ndjson\.gz$/),
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
