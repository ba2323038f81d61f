/** Tasks on a full disk, and a server beside a restore, as processes. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockFolder } from "../server/database/sqlite/lock.ts";
import { mountSmallDisk } from "./full-disk.ts";
import { node, nodeEnv, project } from "./node-program.ts";
import { startProcess } from "./server-process.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-days-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const main = path.join(project, "server/admin/main.ts");
const owner = { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "a long walk to the river", LOG_LEVEL: "error" };

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function admin(env: Record<string, string>, ...task: string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(node, [main, ...task, "--no-input"], { env: { ...nodeEnv, ...env } }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test("a backup works while the data disk is full: beside a server, without one, and after it was killed", async (context) => {
  const disk = mountSmallDisk(24);
  if (disk === null) return context.skip();
  const env = { DATA_DIR: path.join(disk.dir, "data") };
  let files = 0;
  const backUp = async () => {
    const file = path.join(root, `full-${(files += 1)}.ndjson.gz`);
    const made = await admin(env, "backup", file, "--without-keys");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("DATA_DIR can't be written")]);
    const to = { DATA_DIR: path.join(root, `restored-${files}`) };
    expect(await admin(to, "restore", file)).toMatchObject({ code: 0 });
  };
  try {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const server = await startProcess({ ...env, ...owner });
      const reserve = () => statSync(path.join(env.DATA_DIR, "reserve"), { throwIfNoEntry: false })?.size ?? 0;
      await expect.poll(reserve, { timeout: 20_000 }).toBeGreaterThan(0);
      const whole = reserve();
      disk.fill();
      // the server gives a part of its reserve back, and that is used up too
      await expect.poll(reserve, { timeout: 20_000 }).toBeLessThan(whole);
      disk.fill();
      await backUp();
      if (signal === "SIGTERM") {
        const rotated = await admin(env, "rotate-keys");
        expect([rotated.code, rotated.stderr]).toEqual([
          5,
          expect.stringContaining("the disk is full: free some space"),
        ]);
      }
      await server.stop(signal);
      disk.fill();
      await backUp();
      const keys = readdirSync(env.DATA_DIR).filter((name) => name.startsWith("keys"));
      expect(keys).toEqual(["keys"]);
      disk.free();
    }
  } finally {
    disk.unmount();
  }
}, 240_000);

test("a server doesn't start beside a restore that runs or was stopped, and the next restore works", async () => {
  const from = { DATA_DIR: path.join(root, "from") };
  const file = path.join(root, "from.ndjson.gz");
  const first = await startProcess({ ...from, ...owner });
  expect(await first.stop("SIGTERM")).toBe(0);
  expect(await admin(from, "backup", file, "--without-keys")).toMatchObject({ code: 0 });

  const to = { DATA_DIR: path.join(root, "to") };
  const half = path.join(to.DATA_DIR, "restoring");
  const child = spawn(node, [main, "restore", file, "--no-input"], { env: { ...nodeEnv, ...to }, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(() => existsSync(half), { timeout: 60_000, interval: 1 }).toBe(true);
  child.kill("SIGKILL");
  await ended;
  // it may have been faster
  rmSync(path.join(to.DATA_DIR, "sopwright.db"), { force: true });
  mkdirSync(half, { recursive: true });
  writeFileSync(path.join(half, "sopwright.db"), "half");

  const unlock = lockFolder(to.DATA_DIR);
  await expect(startProcess({ ...to, ...owner })).rejects.toThrow(/is in use by process \d+ on .+: stop it first/);
  const second = await admin(to, "restore", file);
  expect([second.code, second.stderr]).toEqual([5, expect.stringContaining("is in use by process")]);
  unlock();
  for (const task of [["verify"], ["backup", path.join(root, "half.ndjson.gz")], ["unlock", "--all"]]) {
    const refused = await admin({ ...to, BACKUP_PASSPHRASE: "five words of a long walk" }, ...task);
    const named = expect.stringContaining(
      `a restore into ${to.DATA_DIR} did not end: run it again, or delete`,
    ) as unknown;
    expect([task[0], refused.code, refused.stderr]).toEqual([task[0], 5, named]);
  }
  await expect(startProcess({ ...to, ...owner })).rejects.toThrow(
    `a restore into ${to.DATA_DIR} did not end: run it again, or delete ${half}`,
  );
  expect(await admin(to, "restore", file)).toMatchObject({ code: 0 });
  expect(existsSync(half)).toBe(false);
  const server = await startProcess({ ...to, ...owner });
  try {
    expect(await admin(to, "status", "--server", server.url)).toMatchObject({ code: 0 });
  } finally {
    await server.stop("SIGTERM");
  }
}, 240_000);

test("a place that can't be written is named without DATA_DIR", async () => {
  const data = { DATA_DIR: path.join(root, "from") };
  const made = await admin(data, "backup", path.join(root, "none", "b.gz"), "--without-keys");
  expect([made.code, made.stderr]).toEqual([
    5,
    `sop admin backup: ${path.join(root, "none")}: there is no such folder. Name a folder that this user can write\n`,
  ]);
  const read = await admin({ DATA_DIR: path.join(root, "unread") }, "restore", path.join(root, "none", "b.gz"));
  expect(read.stderr).not.toContain("DATA_DIR");
});
