/**
 * `verify --audit`: checks every row of the audit log against its hash, and every signature against the keys. Writes
 * nothing.
 */
import { access } from "node:fs/promises";
import type { AuditReport } from "#core/audit/verify.ts";
import { AppError } from "#core/errors.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { checkpointFilePath } from "../audit/checkpoints.ts";
import { findMissingCompanies, verifyCompanyAudit } from "../audit/verify-company.ts";
import { readCheckpoints } from "../audit/verify-daily.ts";
import { readTaskConfig } from "../config.ts";
import { loadKnownLossLookup } from "../findings/known-losses.ts";
import { readKeyring } from "../keys/keyring.ts";
import { assertDataFolder, loadChosenCompanies } from "./companies.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { refusals } from "./refusals.ts";

export interface VerifyAuditOptions extends OutputFlags {
  company?: string;
  checkpoints?: string;
}

interface VerifiedAuditLog extends AuditReport {
  company: string;
  /** Known losses: gaps that a restored backup left. */
  known: string[];
}

const mismatch = 1;

/** Runs the command. @returns the exit code: 1 when a log differs from its records */
export async function verifyAuditCommand(options: VerifyAuditOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  const file = options.checkpoints ?? checkpointFilePath(config.dataDir);
  if (options.checkpoints !== undefined) await assertFileExists(options.checkpoints);
  const db = await openDatabaseForReading(config);
  try {
    const outside = await readCheckpoints(file);
    const keyring = readKeyring(config);
    const keys = keyring.verifyKeys();
    const verified: VerifiedAuditLog[] = [];
    const isKnown = await loadKnownLossLookup(db, keyring);
    const companies = await loadChosenCompanies(db, options.company);
    // if a company was removed with all its rows, only the checkpoints still name it
    const lost = options.company === undefined ? await findMissingCompanies(db, outside) : [];
    for (const company of [...companies, ...lost.map((one) => ({ ...one, slug: one._id }))]) {
      const report = await verifyCompanyAudit(db, company, { keys, outside });
      const known = report.findings.flatMap(({ message }) => isKnown(`${company.slug}: ${message}`) ?? []);
      const findings = report.findings.filter(({ message }) => isKnown(`${company.slug}: ${message}`) === null);
      const faults = report.faults - known.length;
      verified.push({ company: company.slug, ...report, ok: faults === 0, findings, faults, known });
    }
    const ok = verified.every((report) => report.ok);
    output.data(verified.flatMap(auditReportLines).join("\n") || "no company exists yet", { companies: verified }, ok);
    return ok ? 0 : mismatch;
  } finally {
    await db.close();
  }
}

async function assertFileExists(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new AppError("invalid_input", refusals.unreadableCheckpoints({ file }));
  });
}

/**
 * Returns the report of a company as lines. The report has the last row's hash, which operators can note down outside
 * the server.
 */
function auditReportLines({
  company,
  ok,
  rows,
  seq,
  head,
  anchoredTo,
  findings,
  faults,
  notes,
  known,
}: VerifiedAuditLog): string[] {
  const noteLines = [
    ...known.map((line) => `  ${line}`),
    ...notes.map(({ verdict, message }) => `  ${verdict}: ${message}`),
  ];
  if (ok) {
    const last = seq === 0 ? [] : [`  row ${seq}: ${head}`];
    return [`${company}: OK, ${countAndNoun(rows, "row")}, signed up to row ${anchoredTo}`, ...last, ...noteLines];
  }
  const found = findings.map((one) => `  ${one.verdict}${one.seq === null ? "" : `(${one.seq})`}: ${one.message}`);
  const more = faults > findings.length ? [`  and ${faults - findings.length} more`] : [];
  return [`${company}: ALTERED`, ...found, ...more, ...noteLines];
}
