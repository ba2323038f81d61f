/** `verify --audit`: every row of the audit log against its hash, every signature against the keys; reads only. */
import { access } from "node:fs/promises";
import type { AuditReport } from "#core/audit/verify.ts";
import { AppError } from "#core/errors.ts";
import { checkpointFile } from "../audit/checkpoints.ts";
import { missingCompanies, verifyCompanyAudit } from "../audit/verify-company.ts";
import { readCheckpoints } from "../audit/verify-daily.ts";
import { readConfig } from "../config.ts";
import { readKeyring } from "../keys/keyring.ts";
import { assertDataFolder, companiesFor } from "./companies.ts";
import { openForReading } from "../open-for-reading.ts";
import type { Output, OutputFlags } from "./output.ts";

export interface VerifyAuditOptions extends OutputFlags {
  company?: string;
  checkpoints?: string;
}

interface Verified extends AuditReport {
  company: string;
}

const mismatch = 1;

/** @returns 1 when a log is not what was recorded */
export async function verifyAudit(options: VerifyAuditOptions, output: Output): Promise<number> {
  const config = readConfig();
  await assertDataFolder(config);
  const file = options.checkpoints ?? checkpointFile(config.dataDir);
  if (options.checkpoints !== undefined) await assertFile(options.checkpoints);
  const db = await openForReading(config);
  try {
    const outside = await readCheckpoints(file);
    const keys = readKeyring(config).verifyKeys();
    const verified: Verified[] = [];
    const companies = await companiesFor(db, options.company);
    // after the removal of a company with all its rows, only the checkpoints show it
    const lost = options.company === undefined ? await missingCompanies(db, outside) : [];
    for (const company of [...companies, ...lost.map((one) => ({ ...one, slug: one._id }))]) {
      verified.push({ company: company.slug, ...(await verifyCompanyAudit(db, company, { keys, outside })) });
    }
    const ok = verified.every((report) => report.ok);
    output.data(verified.flatMap(linesOf).join("\n") || "no company exists yet", { companies: verified }, ok);
    return ok ? 0 : mismatch;
  } finally {
    await db.close();
  }
}

async function assertFile(file: string): Promise<void> {
  await access(file).catch(() => {
    throw new AppError("invalid_input", `--checkpoints: ${file} can't be read`);
  });
}

/** Prints the last row, to note down somewhere else. */
function linesOf({ company, ok, rows, seq, head, anchoredTo, findings, faults, notes }: Verified): string[] {
  const noteLines = notes.map(({ verdict, message }) => `  ${verdict}: ${message}`);
  if (ok) {
    const last = seq === 0 ? [] : [`  row ${seq}: ${head}`];
    return [`${company}: OK, ${rows} rows, signed up to row ${anchoredTo}`, ...last, ...noteLines];
  }
  const found = findings.map((one) => `  ${one.verdict}${one.seq === null ? "" : `(${one.seq})`}: ${one.message}`);
  const more = faults > findings.length ? [`  and ${faults - findings.length} more`] : [];
  return [`${company}: ALTERED`, ...found, ...more, ...noteLines];
}
