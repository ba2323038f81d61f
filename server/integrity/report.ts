/** The findings of a check of stored data. */

export interface CheckedShare {
  /** The number of checked items. */
  checked: number;
  /** The position at which to continue; null at the end. */
  next: string | null;
  /** A line for each finding: the fault and its place. */
  findings: string[];
}

/** Checks the items after an id, in the order of ids; "" begins at the start. */
export type CheckShare = (after: string) => Promise<CheckedShare>;

/** Runs all shares of a check, one after the other. */
export async function checkAllShares(check: CheckShare): Promise<Omit<CheckedShare, "next">> {
  const sum = { checked: 0, findings: [] as string[] };
  for (let after: string | null = ""; after !== null;) {
    const { checked, next, findings } = await check(after);
    sum.checked += checked;
    sum.findings.push(...findings);
    after = next;
  }
  return sum;
}
