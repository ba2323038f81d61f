/**
 * `verify`: checks all stored data against the records about it. `--repo`, `--audit` and `--assets` choose parts.
 * Writes nothing, so it can run while a server runs and on a read-only folder.
 */
import { AppError } from "#core/errors.ts";
import { readTaskConfig, type Config } from "../config.ts";
import { assertDataFolder } from "./companies.ts";
import { damagedDocumentText } from "../database/port.ts";
import { DamagedFileError, isDatabaseUnreadable } from "../database/sqlite/errors.ts";
import { withNames } from "../findings/names.ts";
import { DamagedKeysError } from "../keys/key-file.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { failureReason } from "../foreign-failure.ts";
import type { AdminOutput } from "./output.ts";
import { checkDataPart, parts, type VerifiedPart, type PartReport, type VerifyPartsOptions } from "./verify-parts.ts";
import { verifyAuditCommand } from "./verify-audit.ts";
import { verifyRepositoriesCommand } from "./verify-repositories.ts";
import { refusals } from "./refusals.ts";

const findingsExit = 1;
/** The exit code that all commands use for an unreachable target. */
const unreachableExit = 5;

export async function verifyCommand(options: VerifyPartsOptions, output: AdminOutput): Promise<number> {
  const chosen = chosenParts(options);
  if (options.expect !== undefined && !/^[0-9a-f]{40}$/.test(options.expect)) {
    throw new AppError("invalid_input", refusals.wholeCommitNeeded());
  }
  if (options.expect !== undefined && !chosen.includes("repositories")) {
    throw new AppError("invalid_input", refusals.expectGoesWithRepository());
  }
  if (options.checkpoints !== undefined && !chosen.includes("audit")) {
    throw new AppError("invalid_input", refusals.checkpointsGoWithAudit());
  }
  // a single chosen part has a command that reports all details: heads, rows, signed checkpoints
  const alone =
    chosen.length > 1 ? null : options.repo ? verifyRepositoriesCommand : options.audit ? verifyAuditCommand : null;
  if (alone !== null)
    return alone(options, output).catch((error: unknown) => {
      const damaged = isDatabaseDamage(error) ? "database" : error instanceof DamagedKeysError ? "keys" : null;
      if (damaged === null) throw error;
      const { report, lines } = reportOfDamagedPart(damaged, error as Error);
      output.data(lines.join("\n"), { parts: [report] }, false);
      return findingsExit;
    });
  const config = readTaskConfig();
  await assertDataFolder(config);
  const { reports, lines } = await verifyChosenParts(chosen, config, options);
  const ok = reports.every((report) => report.ok);
  output.data(lines.join("\n"), { parts: reports }, ok);
  if (ok) return 0;
  return reports.every((report) => report.ok || report.unreachable) ? unreachableExit : findingsExit;
}

interface VerifyResult {
  reports: PartReport[];
  /** The report as text, with the names of damaged items. */
  lines: string[];
}

async function verifyChosenParts(
  chosen: readonly VerifiedPart[],
  config: Config,
  options: VerifyPartsOptions,
): Promise<VerifyResult> {
  const damaged: string[] = [];
  const onDamage = (collection: string, id: string) => void damaged.push(damagedDocumentText(collection, id));
  const db = await openDatabaseForReading(config, { onDamage }).catch((error: unknown) => {
    if (isDatabaseDamage(error)) return error;
    throw error;
  });
  if (db instanceof Error) {
    const { report, lines } = reportOfDamagedPart("database", db);
    return { reports: [report], lines };
  }
  try {
    const reports: PartReport[] = [];
    const lines: string[] = [];
    for (const part of chosen) {
      const checked = await checkDataPart(part, { config, db, options, damaged });
      // several parts can find the same known loss: only the first part reports it
      const report = {
        ...checked,
        known: checked.known.filter((line) => !reports.some(({ known }) => known.includes(line))),
      };
      const found = [...report.findings, ...report.known];
      reports.push(report);
      lines.push(...partReportLines(report, await withNames(db, found).catch(() => found)));
    }
    return { reports, lines };
  } finally {
    await db.close();
  }
}

const isDatabaseDamage = (error: unknown): error is Error =>
  error instanceof DamagedFileError || isDatabaseUnreadable(error);

function reportOfDamagedPart(part: VerifiedPart, error: Error): { report: PartReport; lines: string[] } {
  const findings = [failureReason(error)];
  const report: PartReport = { part, ok: false, unreachable: false, checked: null, findings, known: [] };
  return { report, lines: partReportLines(report, findings) };
}

function chosenParts({ repo, audit, assets, backup }: VerifyPartsOptions): readonly VerifiedPart[] {
  const named: VerifiedPart[] = [];
  if (assets) named.push("assets");
  if (repo) named.push("repositories");
  if (audit) named.push("audit");
  const chosen = named.length > 0 ? named : parts;
  return backup === undefined ? chosen : [...chosen, "backup"];
}

function partReportLines({ part, ok, unreachable, checked }: PartReport, found: readonly string[]): string[] {
  const fault = unreachable ? "NOT CHECKED" : part === "backup" ? "DIFFERS" : "DAMAGED";
  const head = `${part.padEnd(13)} ${ok ? "ok" : fault}${checked === null ? "" : `, ${checked} checked`}`;
  return [head, ...found.map((line) => `  ${line}`)];
}
