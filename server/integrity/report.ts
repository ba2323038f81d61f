/** Types for checks of stored data, which run share by share. */
/** The result of one share of a check. */
export interface CheckedShare {
  /** The number of checked items. */
  checked: number;
  /** The position at which to continue; null at the end. */
  next: string | null;
  /** A line for each finding: the fault and its place. */
  findings: string[];
}

/** Checks the items after a position: the `next` of the share before, or "" at the start. */
export type ShareCheck = (after: string) => Promise<CheckedShare>;

/** Runs all shares of a check, one after the other. */
export async function checkAllShares(check: ShareCheck): Promise<Omit<CheckedShare, "next">> {
  const sum = { checked: 0, findings: [] as string[] };
  for (let after: string | null = ""; after !== null;) {
    const { checked, next, findings } = await check(after);
    sum.checked += checked;
    sum.findings.push(...findings);
    after = next;
  }
  return sum;
}
