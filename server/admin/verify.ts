/**
 * `verify`: holds everything that is stored against what was recorded of it; `--repo`, `--audit` and `--assets` are parts of
 * it. Reads only, so it runs beside a server and on a folder that can't be written.
 */
import { AppError } from "#core/errors.ts";
import { readConfig, type Config } from "../config.ts";
import { assertDataFolder } from "./companies.ts";
import { openForReading } from "../open-for-reading.ts";
import type { Output } from "./output.ts";
import { checkPart, parts, type Part, type PartReport, type VerifyOptions } from "./verify-parts.ts";
import { verifyAudit } from "./verify-audit.ts";
import { verifyRepositories } from "./verify-repositories.ts";

const findingsExit = 1;
/** SQLITE_CORRUPT. */
const damagedFile = 11;

export async function verify(options: VerifyOptions, output: Output): Promise<number> {
  const chosen = chosenParts(options);
  if (options.expect !== undefined && !/^[0-9a-f]{40}$/.test(options.expect)) {
    throw new AppError("invalid_input", "--expect takes a whole commit id: 40 characters of 0-9 and a-f");
  }
  if (options.expect !== undefined && !chosen.includes("repositories")) {
    throw new AppError("invalid_input", "--expect goes with --repo");
  }
  if (options.checkpoints !== undefined && !chosen.includes("audit")) {
    throw new AppError("invalid_input", "--checkpoints goes with --audit");
  }
  // a single part reports all details: heads, rows, anchors
  if (chosen.length === 1 && options.repo) return verifyRepositories(options, output);
  if (chosen.length === 1 && options.audit) return verifyAudit(options, output);
  const config = readConfig();
  await assertDataFolder(config);
  const reports = await reportsOf(chosen, config, options);
  const ok = reports.every((report) => report.ok);
  output.data(reports.flatMap(linesOf).join("\n"), { parts: reports }, ok);
  return ok ? 0 : findingsExit;
}

async function reportsOf(chosen: readonly Part[], config: Config, options: VerifyOptions): Promise<PartReport[]> {
  const db = await openForReading(config).catch((error: unknown) => {
    if ((error as { errcode?: number }).errcode !== damagedFile) throw error;
    return null;
  });
  if (db === null) {
    return [{ part: "database", ok: false, checked: null, findings: ["it can't be opened: restore the last backup"] }];
  }
  try {
    const reports: PartReport[] = [];
    for (const part of chosen) reports.push(await checkPart(part, { config, db, options }));
    return reports;
  } finally {
    await db.close();
  }
}

function chosenParts({ repo, audit, assets, backup }: VerifyOptions): readonly Part[] {
  const named: Part[] = [];
  if (assets) named.push("assets");
  if (repo) named.push("repositories");
  if (audit) named.push("audit");
  const chosen = named.length > 0 ? named : parts;
  return backup === undefined ? chosen : [...chosen, "backup"];
}

function linesOf({ part, ok, checked, findings }: PartReport): string[] {
  const head = `${part.padEnd(13)} ${ok ? "ok" : part === "backup" ? "DIFFERS" : "DAMAGED"}${checked === null ? "" : `, ${checked} checked`}`;
  return [head, ...findings.map((line) => `  ${line}`)];
}
