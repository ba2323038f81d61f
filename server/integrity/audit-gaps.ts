/** Finds lost entries and checkpoints of a company's audit log. It doesn't verify hashes and signatures. */
import { checkpointHash } from "#core/audit/chain.ts";
import { isLogLost, lostLog } from "../audit/verify-company.ts";
import { sha256 } from "../hashing.ts";
import type { CollectionSource } from "./reference.ts";
import type { ShareCheck } from "./report.ts";

const rowsAtOnce = 1_000;

/**
 * Creates the check of a company's audit log. Each share checks a page of entries, and the last share also checks the
 * checkpoints. Findings have the words of `sop admin verify`.
 */
export function createAuditGapsCheck(
  db: CollectionSource,
  { _id: companyId, slug }: { _id: string; slug: string },
): ShareCheck {
  return async (after) => {
    let last = Number(after);
    const options = { sort: { seq: 1 }, limit: rowsAtOnce, projection: { seq: 1 } } as const;
    const rows = await db.collection("audit_logs").find({ companyId, seq: { $gt: last } }, options);
    const lines: string[] = [];
    for (const { seq = 0 } of rows) {
      if (seq === last + 2) lines.push(`row ${last + 1} is missing`);
      if (seq > last + 2) lines.push(`rows ${last + 1} to ${seq - 1} are missing`);
      last = seq;
    }
    const next = rows.length < rowsAtOnce ? null : `${last}`;
    if (next === null) lines.push(...(await findGapsAtLogEnd(db, companyId, last)));
    return { checked: rows.length, next, findings: lines.map((line) => `${slug}: ${line}`) };
  };
}

async function findGapsAtLogEnd(db: CollectionSource, companyId: string, last: number): Promise<string[]> {
  const { lines, signed } = await findCheckpointGaps(db, companyId);
  if (signed > last) lines.push(`the log ends at row ${last}, but a signature names row ${signed}`);
  return (await isLogLost(db, companyId)) ? [...lines, lostLog] : lines;
}

/**
 * @returns lines about checkpoints that don't follow the one before, and as `signed` the number of the last row that a
 * checkpoint signs
 */
export async function findCheckpointGaps(
  db: CollectionSource,
  companyId: string,
): Promise<{ lines: string[]; signed: number }> {
  const checkpoints = await db.collection("audit_checkpoints").find({ companyId }, { sort: { seq: 1 } });
  const lines = checkpoints.flatMap(({ seq, prevCheckpointHash }, at) => {
    const before = checkpoints[at - 1];
    const expected = before === undefined ? null : checkpointHash(before, sha256);
    return prevCheckpointHash === expected ? [] : [`the checkpoint at row ${seq} does not follow the one before it`];
  });
  return { lines, signed: checkpoints.at(-1)?.seq ?? 0 };
}
