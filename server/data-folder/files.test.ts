/** A folder, a link to nothing or a pipe in the place of a file of `DATA_DIR`: each program names it and ends. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { node, nodeEnv, project } from "../../test/node-program.ts";
import { readConfig } from "../config.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { serveRequests } from "../serve.ts";
import { explainFailure } from "../start-failure.ts";
import { makeBackup } from "../backup/make.ts";
import { assertEmptyFolder } from "../backup/restore.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-files-"));
const dataDir = path.join(root, "data");
const config = readConfig({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent" });
const at = (name: string) => path.join(dataDir, name);

beforeAll(async () => (await serveRequests({ config })).stop());
afterAll(() => rmSync(root, { recursive: true }));

const faults = {
  "there is a folder in the place of a file": (file: string) => mkdirSync(file),
  "it is a link to nothing": (file: string) => symlinkSync("nothing", file),
  "it is not a regular file": (file: string) => execFileSync("mkfifo", [file]),
};

const programs = {
  server: async () => (await serveRequests({ config })).stop(),
  verify: async () => (await openDatabaseForReading(config)).close(),
  task: async () => (await openDatabaseForTask(config)).close(),
  backup: () => makeBackup({ config, clock: systemClock, target: root, passphrase: "a long walk to the river" }),
  restore: async () => assertEmptyFolder(config),
};

const failureOf = (program: () => Promise<unknown>) => program().then(() => null, explainFailure);
const kept = ["sopwright.db", "sopwright.db-wal", "sopwright.lock", "sopwright.lock.db", "installation"];

describe.each(Object.entries(faults))("%s", (fault, make) => {
  test.each([...kept, "audit-checkpoints.ndjson", "last-backup"])("%s", async (name) => {
    const aside = path.join(root, "aside");
    if (existsSync(at(name))) renameSync(at(name), aside);
    make(at(name));
    const message = `${at(name)}: ${fault}. Move it away. If the file was there before, put it back from a copy`;
    const failures = await Promise.all(Object.values(programs).map(failureOf));
    rmSync(at(name), { recursive: true });
    if (existsSync(aside)) renameSync(aside, at(name));
    expect(failures).toEqual(failures.map(() => ({ exit: 5, code: "storage", message })));
  });

  test("keys: a backup without them goes on, and all else says how", async () => {
    const aside = path.join(root, "aside");
    renameSync(at("keys"), aside);
    make(at("keys"));
    const target = path.join(root, "without-keys.ndjson.gz");
    const made = await failureOf(() => makeBackup({ config, clock: systemClock, target, passphrase: null }));
    const failures = await Promise.all([programs.server, programs.backup].map(failureOf));
    rmSync(at("keys"), { recursive: true });
    renameSync(aside, at("keys"));
    rmSync(target);
    expect(made).toBeNull();
    const says = [
      `${at("keys")}: ${fault}, so the keys of this installation are damaged.`,
      "sop admin backup --without-keys backs up the rest",
    ];
    for (const failure of failures) {
      expect(failure).toMatchObject({ exit: 5, code: "storage" });
      for (const words of says) expect(failure?.message).toContain(words);
    }
  });
});

test("a folder in the place of .env is named", () => {
  mkdirSync(path.join(root, ".env"));
  const args = [path.join(project, "server/program.ts")];
  const { status, stderr } = spawnSync(node, args, { cwd: root, env: nodeEnv, encoding: "utf8" });
  rmdirSync(path.join(root, ".env"));
  expect([status, stderr]).toEqual([2, "sopwright-server: .env: there is a folder in the place of a file\n"]);
});

test.each(Object.values(faults))("a start does without the copy of the list of tables", async (make) => {
  const copy = at("sopwright.db-schema");
  rmSync(copy);
  make(copy);
  const server = await serveRequests({ config });
  const isFolder = lstatSync(copy).isDirectory();
  expect(server.services.folderWarning()).toBe(
    isFolder
      ? "sopwright.db-schema in DATA_DIR: there is a folder in the place of a file. Delete it and restart the server"
      : null,
  );
  await server.stop();
  expect(readdirSync(dataDir).filter((one) => one.endsWith(".new"))).toEqual([]);
  if (isFolder) rmdirSync(copy);
  await (await serveRequests({ config })).stop();
  expect(lstatSync(copy).isFile()).toBe(true);
});
