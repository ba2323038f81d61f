/**
 * `verify --repo` alone: computes every commit again from the ledger, compares it with the repository, and shows the
 * heads.
 */
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { openBlobs } from "../blobs/open.ts";
import { readTaskConfig } from "../config.ts";
import { loadKnownLossLookup, loadLossLinesOfRepository } from "../findings/known-losses.ts";
import { readKeyring } from "../keys/keyring.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { createRepositories, type Repositories } from "../repository/repositories.ts";
import type { VerifyReport } from "../repository/verify.ts";
import { createLog } from "../services.ts";
import { assertDataFolder, loadChosenCompanies } from "./companies.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import type { AdminOutput } from "./output.ts";
import type { VerifyPartsOptions } from "./verify-parts.ts";
import { refusals } from "./refusals.ts";

interface VerifiedRepository extends VerifyReport {
  company: string;
  /** Known losses: gaps that a restored backup left. */
  known: string[];
}

const mismatch = 1;

export async function verifyRepositoriesCommand(options: VerifyPartsOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  const log = createLog(config);
  const db = await openDatabaseForReading(config);
  const dir = path.join(config.dataDir, "repositories");
  let repositories: Repositories | undefined;
  try {
    repositories = createRepositories({ dir, ledger: createDatabaseLedger(db, await openBlobs(config, db)), log });
    const companies = await loadChosenCompanies(db, options.company);
    if (options.expect !== undefined && companies.length > 1) {
      throw new AppError("invalid_input", refusals.companyNeeded());
    }
    const verified: VerifiedRepository[] = [];
    const keys = readKeyring(config);
    const isKnown = await loadKnownLossLookup(db, keys);
    for (const { _id, slug } of companies) {
      const report = await repositories.verify(_id, options.expect);
      const lost = await loadLossLinesOfRepository(db, keys, _id);
      const known = [...lost, ...report.findings.flatMap(({ message }) => isKnown(`${slug}: ${message}`) ?? [])];
      const findings = report.findings.filter(({ message }) => isKnown(`${slug}: ${message}`) === null);
      verified.push({ company: slug, ...report, ok: findings.length === 0, findings, known });
    }
    const ok = verified.every((report) => report.ok);
    output.data(
      verified.flatMap(repositoryReportLines).join("\n") || "no company exists yet",
      { companies: verified },
      ok,
    );
    return ok ? 0 : mismatch;
  } finally {
    await repositories?.close();
    await db.close();
    log.flush();
  }
}

/**
 * Returns the report of a company as lines. The report has the heads, which operators can note down for a later
 * `--expect`.
 */
function repositoryReportLines({
  company,
  ok,
  events,
  head,
  lag,
  expectedSeq,
  findings,
  known,
}: VerifiedRepository): string[] {
  const lost = known.map((line) => `  ${line}`);
  if (!ok) {
    const findingLines = findings.map(
      ({ seq, where, message }) => `  ${where}${seq === null ? "" : `, seq ${seq}`}: ${message}`,
    );
    return [`${company}: DIFFERS`, ...findingLines, ...lost];
  }
  const waiting = lag > 0 ? `, ${lag} not committed here yet` : "";
  const found = expectedSeq === null ? [] : [`  the expected commit is that of event ${expectedSeq}`];
  return [
    `${company}: ${events} events agree${waiting}`,
    `  main    ${head.main ?? "none"}`,
    `  history ${head.history ?? "none"}`,
    ...found,
    ...lost,
  ];
}
