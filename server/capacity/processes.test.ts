import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  limitedCommandOf,
  processLimits,
  threadLimits,
  type ProcessKind,
  type ProcessLimits,
} from "#core/processes.ts";
import { startProgram } from "./start-process.ts";
import { startWorker } from "./start-thread.ts";

const isLinux = process.platform === "linux";
const kinds = Object.entries<ProcessLimits>(processLimits) as [ProcessKind, ProcessLimits][];

async function run(kind: ProcessKind, program: string, args: string[]) {
  const child = startProgram(kind, program, args, { cwd: tmpdir(), env: { PATH: "/usr/bin:/bin" } });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

describe.runIf(isLinux)("a program that the server starts", () => {
  test.each(kinds)("as %s has its limits, and ends before the server when memory runs out", async (kind, own) => {
    const { stdout } = await run(kind, "cat", ["/proc/self/limits", "/proc/self/oom_score_adj"]);
    const [, hard] = /^Max data size +\d+ +(\d+)/m.exec(stdout) ?? [];
    expect(Number(hard)).toBe(own.megabytes * 2 ** 20);
    const [, seconds] = /^Max cpu time +\S+ +(\S+)/m.exec(stdout) ?? [];
    expect(seconds).toBe(own.cpuSeconds === null ? "unlimited" : String(own.cpuSeconds));
    const [, processes] = /^Max processes +\S+ +(\S+)/m.exec(stdout) ?? [];
    if (own.hasHelpers) expect(Number(processes)).not.toBe(1);
    else expect(processes).toBe("1");
    expect(stdout).toMatch(/\n500\n$/);
  });

  test("can't take more memory than its limit", async () => {
    // doubles a text up to 1 GB
    const doubling = 'BEGIN { s = "x"; for (i = 0; i < 30; i++) s = s s; print length(s) }';
    expect((await run("pushedObjects", "awk", [doubling])).stdout).toBe("");
    const small = doubling.replace("30", "20");
    expect((await run("pushedObjects", "awk", [small])).stdout).toBe(`${2 ** 20}\n`);
  });

  test("without helpers starts no other program, unless it is root's", () => {
    const isRoot = process.getuid?.() === 0;
    const { program, args } = limitedCommandOf("pushedPack", "sh", ["-c", "ls / >/dev/null; exit"], process.platform);
    const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { stderr, status } = spawnSync(program, args, { cwd: "/", encoding: "utf8", ...as });
    expect([status === 0, stderr]).toEqual([false, expect.stringMatching(/fork|Resource temporarily unavailable/)]);
  });

  test("runs as a user without rights, with threads where its kind has helpers", () => {
    const isRoot = process.getuid?.() === 0;
    const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { program, args } = limitedCommandOf("print", process.execPath, ["-p", "1 + 1"], process.platform);
    expect(spawnSync(program, args, { cwd: "/", encoding: "utf8", ...as })).toMatchObject({ status: 0, stdout: "2\n" });
  });

  test("gets its arguments as they are", async () => {
    const strange = ["a b", "$(id)", "'\"", "", "-x", "é\n"];
    const { stdout } = await run("pushedObjects", "printf", ["%s|", ...strange]);
    expect(stdout).toBe(`${strange.join("|")}|`);
  });
});

test("a program runs without limits where there is no shell", () => {
  expect(limitedCommandOf("terminal", "git", ["log"], "win32")).toEqual({ program: "git", args: ["log"] });
});

test("a thread ends at its limit, and its process goes on", async () => {
  const grow = "const all = []; for (;;) all.push(Array.from({ length: 1e5 }, (_, i) => ({ i })));";
  const worker = startWorker("checkpoint", new URL(`data:text/javascript,${encodeURIComponent(grow)}`));
  expect(worker.resourceLimits?.maxOldGenerationSizeMb).toBe(threadLimits.checkpoint.megabytes);
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => worker.once("error", resolve));
  expect(error.code).toBe("ERR_WORKER_OUT_OF_MEMORY");
});

test("all programs and threads of the server are started in one place each", () => {
  const files = readdirSync("server", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
    .toSorted();
  const importing = (shape: RegExp) => files.filter((name) => shape.test(readFileSync(`server/${name}`, "utf8")));
  const values = (module: string, names: string) =>
    new RegExp(`import (?:\\* as|\\{[^}]*(?<!type )\\b(?:${names})\\b)[^;]* from "${module}"|import\\("${module}"\\)`);
  const sample = values("node:child_process", "spawn");
  const samples = [
    "import { fork, spawn as s } from",
    "import * as a from",
    "import type { spawn } from",
    "import { type spawn } from",
  ];
  expect(samples.map((one) => sample.test(`${one} "node:child_process";`))).toEqual([true, true, false, false]);
  expect(importing(values("node:child_process", "spawn|fork|exec|execFile|spawnSync|execSync|execFileSync"))).toEqual([
    "capacity/start-process.ts",
  ]);
  expect(importing(values("node:worker_threads", "Worker"))).toEqual(["capacity/start-thread.ts"]);
  expect(importing(/node:cluster|"(?:child_process|worker_threads)"/)).toEqual([]);
});
