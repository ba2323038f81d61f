/** A company's repository on this server's disk against the ledger. */
import type { Repositories } from "../repository/repositories.ts";
import type { VerifyReport } from "../repository/verify.ts";
import type { CheckShare } from "./report.ts";

interface Options {
  /** A commit that was noted down: it must be one of the company's. */
  expect?: string | undefined;
  /** Called after each piece of work. */
  turn?: () => Promise<void>;
  onReport?: (report: VerifyReport) => Promise<void>;
}

/** One share: each commit follows from the one before. */
export function checkRepository(
  repositories: Pick<Repositories, "verify">,
  { _id, slug }: { _id: string; slug: string },
  { expect, turn, onReport }: Options = {},
): CheckShare {
  return async () => {
    const report = await repositories.verify(_id, expect, turn);
    await onReport?.(report);
    const { events, findings } = report;
    return { checked: events, next: null, findings: findings.map(({ message }) => `${slug}: ${message}`) };
  };
}
