/** Development-only programs from PyPI, each in its own virtual environment inside `node_modules`, created once. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../node_modules/.cache/sopwright");
const staleLockMs = 10 * 60_000;

export interface PythonTool {
  /** The folder of the tool's programs, with `python`. */
  bin: string;
  isInstalled(): boolean;
  /** Installs the tool under a lock, because several test runs may start this at the same moment. */
  install(): Promise<void>;
}

/** @param requirement an exact requirement for pip: `schemathesis==4.32.5` */
export function pythonTool(name: string, requirement: string): PythonTool {
  const home = join(cache, name);
  const bin = join(home, "bin");
  const ready = join(home, `.ready-${requirement}`);
  const lock = `${home}.lock`;
  return {
    bin,
    isInstalled: () => existsSync(ready),
    async install() {
      if (existsSync(ready)) return;
      await mkdir(cache, { recursive: true });
      while (!(await tookLock(lock))) await delay(500);
      try {
        if (existsSync(ready)) return;
        await rm(home, { recursive: true, force: true });
        await run("python3", ["-m", "venv", home]);
        await run(join(bin, "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]);
        await writeFile(ready, "");
      } finally {
        await rm(lock, { recursive: true, force: true });
      }
    },
  };
}

async function tookLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleLockMs) await rm(lock, { recursive: true, force: true });
    return false;
  }
}
