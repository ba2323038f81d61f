/** The record of tests that needed a second try. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { afterRun } from "./second-tries.ts";

const project = path.resolve(import.meta.dirname, "..");

describe("a name", () => {
  test("that comes for the first time is kept and fails nothing", () => {
    expect(afterRun([["a"]], ["b"])).toEqual({ runs: [["a"], ["b"]], repeated: [] });
  });

  test("that comes a second time in ten runs is repeated", () => {
    const eightQuiet: string[][] = Array.from({ length: 8 }, () => []);
    expect(afterRun([["a"], ...eightQuiet], ["a"]).repeated).toEqual(["a"]);
  });

  test("that came ten runs ago is forgotten", () => {
    const nineQuiet: string[][] = Array.from({ length: 9 }, () => []);
    const { runs, repeated } = afterRun([["a"], ...nineQuiet], ["a"]);
    expect([repeated, runs.length]).toEqual([[], 10]);
  });

  test("that came before and is quiet now fails nothing", () => {
    expect(afterRun([["a"], ["a"]], []).repeated).toEqual([]);
  });
});

describe("a run of tests", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-second-tries-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const record = path.join(folder, "kept", "second-tries.json");

  /** Runs one test that passes at its second try. */
  async function run(): Promise<{ code: number; stdout: string }> {
    writeFileSync(
      path.join(folder, "late.test.js"),
      `import { test } from ${JSON.stringify(path.join(project, "node_modules/vitest/dist/index.js"))};
      let tries = 0;
      test("late", { retry: 1 }, () => { if (++tries === 1) throw new Error("too early"); });`,
    );
    const program = path.join(project, "node_modules/vitest/vitest.mjs");
    const reporter = path.join(project, "test/second-tries.ts");
    const args = [program, "run", "--root", folder, "--reporter=default", `--reporter=${reporter}`];
    const env = { PATH: process.env["PATH"] ?? "", SECOND_TRIES_FILE: record };
    return promisify(execFile)(process.execPath, args, { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        stdout: error.stdout + error.stderr,
      }),
    );
  }

  test("passes at the first second try of a name, and fails at the next one", async () => {
    const name = "late.test.js > late";
    const first = await run();
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(`PASSED AT A SECOND TRY: ${name}`)]);
    expect(JSON.parse(readFileSync(record, "utf8"))).toEqual([[name]]);
    const second = await run();
    expect([second.code, second.stdout]).toEqual([
      1,
      expect.stringContaining(`FAILED: a second try twice in 10 runs: ${name}`),
    ]);
  });
});
