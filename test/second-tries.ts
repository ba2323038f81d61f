/**
 * Reports at the end which tests passed only at a second try. It stores them for ten runs in the file that
 * `SECOND_TRIES_FILE` names. A second try is a fault to investigate; two in ten runs fail the run.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestCase } from "vitest/node";
import { z } from "zod";

const kept = 10;
/** The names of each run, the latest run last. */
const Runs = z.array(z.array(z.string()));
type Runs = z.infer<typeof Runs>;

/** @returns the runs to keep, and the names of this run that earlier runs have too */
export function afterRun(earlier: Runs, names: readonly string[]): { runs: Runs; repeated: string[] } {
  const before = earlier.slice(1 - kept);
  const repeated = names.filter((name) => before.some((run) => run.includes(name)));
  return { runs: [...before, [...names]], repeated };
}

// oxlint-disable-next-line import/no-default-export -- how Vitest loads a reporter
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];
  readonly #file = process.env["SECOND_TRIES_FILE"];

  onTestCaseResult(test: TestCase): void {
    const isLate = test.result().state === "passed" && (test.diagnostic()?.retryCount ?? 0) > 0;
    if (isLate) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`PASSED AT A SECOND TRY: ${name}`);
    if (!this.#file) return;
    const { runs, repeated } = afterRun(read(this.#file), this.#names);
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(runs, null, 2));
    for (const name of repeated) console.log(`FAILED: a second try twice in ${kept} runs: ${name}`);
    if (repeated.length > 0) process.exitCode = 1;
  }
}

/** A missing or invalid file counts as no earlier runs. */
function read(file: string): Runs {
  try {
    return Runs.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return [];
  }
}
