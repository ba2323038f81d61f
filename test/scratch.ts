/**
 * Puts the tests' data directories into memory, if the machine has such a folder. Every save is synced to disk several
 * times, which takes milliseconds in each test and proves nothing, because no test cuts the power.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";

const memory = "/dev/shm";
const enough = 2 * 1024 ** 3;
const prefix = "sopwright-tests-";

/** Sets `TMPDIR` of this process and its children. A folder that the user set is kept. */
export function keepScratchInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !isRoomy()) return;
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))) remove(path.join(memory, name));
  }
  const folder = path.join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env["TMPDIR"] = folder;
  process.once("exit", () => remove(folder));
}

/**
 * Says whether the folder is usable. Containers offer only a few megabytes of it, and forbid programs there, which the
 * tests need.
 */
function isRoomy(): boolean {
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === memory);
    const { bavail, bsize } = statfsSync(memory);
    return mount !== undefined && !/\b(?:noexec|ro)\b/.test(mount.split(" ")[3] ?? "") && bavail * bsize >= enough;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes a folder. It stays if a killed test left a mounted disk in it. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EBUSY") throw error;
  }
}
