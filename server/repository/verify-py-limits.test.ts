/** `verify.py` starts git within limits of memory and time, and with nothing of its own environment. */
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { beforeEach, describe, expect, it } from "vitest";
import { processLimits } from "#core/processes.ts";
import { createRepositories } from "./repositories.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { scratchFolder } from "./testing/scratch.ts";

const root = path.resolve(import.meta.dirname, "../..");
const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

interface Ran {
  code: number;
  told: string;
}

function python(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 60_000 };
    execFile("python3", args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, told: stdout + stderr }),
    );
  });
}
const verify = (args: readonly string[], env: Record<string, string> = {}) =>
  python([path.join(root, "verify.py"), ...args], env);

/** A `git` that comes first in PATH. */
function fakeGit(script: string): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, "git"), 0o755);
  return `${folder}:${process.env["PATH"]}`;
}

describe("verify.py", () => {
  let repository = "";
  beforeEach(async () => {
    const { ledger, companyId } = goldenStory();
    const repositories = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git: null });
    await repositories.drain(companyId);
    await repositories.close();
    repository = repositories.path(companyId);
  });

  it("starts each git within the limits of sop verify, without memory dumps", async () => {
    const seen = path.join(scratchFolder(), "seen");
    const PATH = fakeGit(`echo "$(ulimit -d) $(ulimit -t) $(ulimit -c)" >> '${seen}'; exec '${realGit}' "$@"`);
    expect(await verify([repository], { PATH })).toMatchObject({ code: 0 });
    const { megabytes, cpuSeconds } = processLimits.terminal;
    expect(new Set(readFileSync(seen, "utf8").trim().split("\n"))).toEqual(
      new Set([`${megabytes * 1024} ${cpuSeconds} 0`]),
    );
  });

  it("keeps a limit that is lower already", async () => {
    const seen = path.join(scratchFolder(), "seen");
    const PATH = fakeGit(`ulimit -t >> '${seen}'; exec '${realGit}' "$@"`);
    const script = `ulimit -t 300; exec python3 '${root}/verify.py' '${repository}'`;
    execFileSync("sh", ["-c", script], { env: { ...process.env, PATH } });
    expect(new Set(readFileSync(seen, "utf8").trim().split("\n"))).toEqual(new Set(["300"]));
  });

  it("hands git none of the variables that it finds", async () => {
    const [seen, trace] = ["seen", "trace"].map((name) => path.join(scratchFolder(), name)) as [string, string];
    const PATH = fakeGit(`env >> '${seen}'; exec '${realGit}' "$@"`);
    const hostile = {
      GIT_TRACE: trace,
      GIT_DIR: "/nowhere",
      GIT_WORK_TREE: "/nowhere",
      GIT_OBJECT_DIRECTORY: "/nowhere",
      GIT_ALTERNATE_OBJECT_DIRECTORIES: "/nowhere",
      GIT_EXEC_PATH: "/nowhere",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: `touch ${trace}`,
      GIT_SSH_COMMAND: `touch ${trace}`,
      GIT_ASKPASS: "/nowhere",
      LD_LIBRARY_PATH: "/nowhere",
      SOP_TOKEN: "secret",
      HOME: "/nowhere",
    };
    expect(await verify([repository], { ...hostile, PATH })).toMatchObject({ code: 0 });
    expect(existsSync(trace)).toBe(false);
    const found = readFileSync(seen, "utf8");
    for (const text of ["/nowhere", "secret", "touch", trace]) expect(found).not.toContain(text);
  });

  it("ends with 2 when the time is over, and leaves nothing", async () => {
    const TMPDIR = scratchFolder();
    const env = { PATH: fakeGit(`echo $$ >> '${TMPDIR}.pids'; exec sleep 600`), TMPDIR };
    const { code, told } = await verify([repository, "--minutes", "0.1"], env);
    expect([code, told.trim()]).toEqual([2, "can't be checked: it takes more than 0.1 minutes: set --minutes"]);
    expect(readdirSync(TMPDIR)).toEqual([]);
    const isRunning = (id: number) => {
      try {
        return process.kill(id, 0);
      } catch {
        return false;
      }
    };
    const ids = readFileSync(`${TMPDIR}.pids`, "utf8").trim().split("\n").map(Number);
    await expect.poll(() => ids.filter(isRunning)).toEqual([]);
  });

  it("ends with 2 when its own memory is over", async () => {
    const script = `import sys; sys.path.insert(0, ${JSON.stringify(root)}); sys.dont_write_bytecode = True
import verify
verify.check = lambda *_: bytearray(3 << 30)
sys.argv = ["verify.py", ${JSON.stringify(repository)}]
sys.exit(verify.main())`;
    const { code, told } = await python(["-c", script]);
    expect([code, told.trim()]).toEqual([2, "can't be checked: it needs too much memory"]);
  });
});
