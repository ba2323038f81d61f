/** A company's repository on this server's disk against the ledger. */
import type { Repositories } from "../repository/repositories.ts";
import type { CheckShare } from "./report.ts";

interface Options {
  /** A commit that was noted down: it must be one of the company's. */
  expect?: string | undefined;
  /** Called after each piece of work. */
  turn?: () => Promise<void>;
}

/** One share: each commit follows from the one before. */
export function checkRepository(
  repositories: Pick<Repositories, "verify">,
  { _id, slug }: { _id: string; slug: string },
  { expect, turn }: Options = {},
): CheckShare {
  return async () => {
    const { events, findings } = await repositories.verify(_id, expect, turn);
    return { checked: events, next: null, findings: findings.map(({ message }) => `${slug}: ${message}`) };
  };
}
