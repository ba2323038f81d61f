/** Compares a company's repository on this server's disk with the ledger. */
import type { Repositories } from "../repository/repositories.ts";
import type { VerifyReport } from "../repository/verify.ts";
import type { ShareCheck } from "./report.ts";

interface RepositoryCheckOptions {
  /** A commit that was noted down before. It must be a commit of the company. */
  expect?: string | undefined;
  /** Called after each piece of work, so that other work can run. */
  turn?: () => Promise<void>;
  onReport?: (report: VerifyReport) => Promise<void>;
}

/** Creates the check of a whole repository in a single share, because each commit depends on the one before. */
export function createRepositoryCheck(
  repositories: Pick<Repositories, "verify">,
  { _id, slug }: { _id: string; slug: string },
  { expect, turn, onReport }: RepositoryCheckOptions = {},
): ShareCheck {
  return async () => {
    const report = await repositories.verify(_id, expect, turn);
    await onReport?.(report);
    const { events, findings } = report;
    return { checked: events, next: null, findings: findings.map(({ message }) => `${slug}: ${message}`) };
  };
}
