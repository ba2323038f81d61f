/** The findings of a check of stored data. */

export interface Share {
  /** The number of checked items. */
  checked: number;
  /** Where to go on; null at the end. */
  next: string | null;
  /** One line each: the fault and its place. */
  findings: string[];
}

/** Looks at the next ones after an id, in the order of their ids; "" from the start. */
export type CheckShare = (after: string) => Promise<Share>;

/** All shares of a check, one after the other. */
export async function checkAll(check: CheckShare): Promise<Omit<Share, "next">> {
  const sum = { checked: 0, findings: [] as string[] };
  for (let after: string | null = ""; after !== null;) {
    const { checked, next, findings } = await check(after);
    sum.checked += checked;
    sum.findings.push(...findings);
    after = next;
  }
  return sum;
}
