/** Verifies every company's log once a day, in the background. Administrators see the findings. */
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Checkpoint } from "#core/audit/chain.ts";
import type { AuditFinding } from "#core/audit/verify.ts";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import type { Collections, CompanyDocument } from "../database/documents.ts";
import { loadKnownLossLookup } from "../findings/known-losses.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import type { Database } from "../database/port.ts";
import { createDatabaseRounds, type Rounds } from "../findings/rounds.ts";
import type { Leases } from "../jobs/leases.ts";
import type { Jobs } from "../jobs/overdue.ts";
import type { Keyring } from "../keys/keyring.ts";
import { checkpointFilePath } from "./checkpoints.ts";
import { findMissingCompanies, verifyCompanyAudit } from "./verify-company.ts";

export interface Verification {
  at: string;
  ok: boolean;
  rows: number;
  /** The number of the last row that a valid signature covers. */
  anchoredTo: number;
  findings: AuditFinding[];
}

export interface DailyOptions {
  db: Database<Collections>;
  clock: Clock;
  log: Logger;
  keys: Pick<Keyring, "verifyKeys">;
  config: Pick<Config, "dataDir">;
}

const dayMs = 24 * 3_600_000;
const everyMs = 15 * 60_000;
const leaseMs = 10 * 60_000;
const shownAtMost = 20;

const auditVerificationId = (companyId: string) => `audit-verification:${companyId}`;

export async function loadLastVerification(db: Database<Collections>, companyId: string): Promise<Verification | null> {
  const found = await db.collection("system").findOne({ _id: auditVerificationId(companyId) });
  return found ? (JSON.parse(found.value) as Verification) : null;
}

/**
 * Verifies the logs that weren't verified in the last day. Reports altered logs and missing companies as a warning of
 * /readyz.
 * @returns the number of verified logs
 */
export async function verifyDueLogs({ db, clock, log, keys, config }: DailyOptions): Promise<number> {
  const outside = await readCheckpoints(checkpointFilePath(config.dataDir));
  const [now, dueBefore] = [clock.now(), new Date(clock.millis() - dayMs).toISOString()];
  let verified = 0;
  const found: string[] = [];
  const isKnown = await loadKnownLossLookup(db, keys);
  const isAltered = (companyId: string, { ok, findings }: Pick<Verification, "ok" | "findings">) =>
    !ok && findings.some(({ message }) => isKnown(`${companyId}: ${message}`) === null);
  const verifyCompanyLog = async (company: Pick<CompanyDocument, "_id" | "createdAt">): Promise<void> => {
    const before = await loadLastVerification(db, company._id);
    // a verification with a time in the future was stored by a wrong clock, so it is ignored
    if (before && before.at > dueBefore && before.at <= now) {
      if (isAltered(company._id, before)) found.push(alteredLogFinding(company._id));
      return;
    }
    const report = await verifyCompanyAudit(db, company, { keys: keys.verifyKeys(), outside });
    const { ok, rows, anchoredTo, findings } = report;
    const at = clock.now();
    const value: Verification = { at, ok, rows, anchoredTo, findings: findings.slice(0, shownAtMost) };
    await db
      .collection("system")
      .updateOne(
        { _id: auditVerificationId(company._id) },
        { $set: { value: JSON.stringify(value), at } },
        { upsert: true },
      );
    if (isAltered(company._id, value)) {
      log.error({ companyId: company._id, findings: value.findings }, "the audit log was tampered with");
      found.push(alteredLogFinding(company._id));
    }
    verified++;
  };
  // verify suspended companies too, so that no one can hide a change of the log by suspending the company
  for (const company of await db.collection("companies").find({}, { projection: { createdAt: 1 } }))
    await tryUnlessDamaged(() => verifyCompanyLog(company));
  const lost = await findMissingCompanies(db, outside);
  if (lost.length > 0 && verified > 0)
    log.error({ companyIds: lost.map(({ _id }) => _id) }, "companies are gone with their audit logs");
  found.push(...lost.map(({ _id }) => `company ${_id} is gone with its audit log`));
  await reportAlteredLogs(createDatabaseRounds(db, clock), found, now);
  return verified;
}

const alteredLogFinding = (companyId: string) => `the audit log of company ${companyId} was altered`;

/** Reports altered logs as a warning of /readyz. An altered log is evidence, so it is never repaired. */
async function reportAlteredLogs(rounds: Rounds, found: readonly string[], since: string): Promise<void> {
  const known = (await rounds.read("audit"))?.found ?? [];
  if (known.join("\n") === found.slice(0, shownAtMost).join("\n")) return;
  await rounds.write("audit", { after: "", since, found: found.slice(0, shownAtMost), before: [] });
}

/**
 * Reads the checkpoints in a file. Leaves out lines that are invalid or that a crash cut off.
 * @returns an empty list if the file is missing
 */
export async function readCheckpoints(file: string): Promise<Checkpoint[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = JSON.parse(line) as Checkpoint | null;
      return typeof parsed === "object" && parsed !== null ? [parsed] : [];
    } catch {
      return [];
    }
  });
}

export function startDailyVerification(options: DailyOptions & { leases: Leases; jobs: Jobs }): () => Promise<void> {
  const { leases, jobs } = options;
  return jobs.every({ name: "verification of audit logs", everyMs, firstMs: everyMs }, () =>
    leases.hold("audit-verify", leaseMs, () => verifyDueLogs(options)),
  );
}
