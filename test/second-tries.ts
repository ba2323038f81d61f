/** Names at the end what passed at a second try only: no failure, and a fault to look for. */
import type { Reporter, TestCase } from "vitest/node";

// oxlint-disable-next-line import/no-default-export -- how Vitest loads a reporter
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const isLate = test.result().state === "passed" && (test.diagnostic()?.retryCount ?? 0) > 0;
    if (isLate) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`PASSED AT A SECOND TRY: ${name}`);
  }
}
