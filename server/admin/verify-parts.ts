/**
 * Checks the parts of the stored data for `sop admin verify`. Each part is checked separately, so that damage in one
 * part doesn't hide damage in another.
 */
import path from "node:path";
import { checkpointFilePath } from "../audit/checkpoints.ts";
import { findMissingCompanies, verifyCompanyAudit } from "../audit/verify-company.ts";
import { readCheckpoints } from "../audit/verify-daily.ts";
import { summarizeDatabase } from "../backup/documents.ts";
import { backupDifferences } from "../backup/format.ts";
import { checkBackup } from "../backup/read.ts";
import { openBlobs } from "../blobs/open.ts";
import type { Config } from "../config.ts";
import { DataFolderError } from "../data-files.ts";
import { findInstallationFault } from "../data-folder/installation.ts";
import type { Collections } from "../database/documents.ts";
import { DatabaseUnavailableError, type Database } from "../database/port.ts";
import { createKeysCheck } from "../integrity/keys.ts";
import { loadKnownLossLookup, findLossesFault, findDocumentsStillMissing } from "../findings/known-losses.ts";
import { loadLostFactLines } from "../findings/lost-facts.ts";
import { findMissingCompanyLines } from "../integrity/companies.ts";
import { createLedgerCheck } from "../integrity/ledger.ts";
import { createReferencesCheck } from "../integrity/references.ts";
import { checkAllShares } from "../integrity/report.ts";
import { createRepositoryCheck } from "../integrity/repositories.ts";
import { createAssetsCheck, createSopsCheck, createVersionsCheck } from "../integrity/stored.ts";
import { DamagedKeysError } from "../keys/key-file.ts";
import { readKeyring } from "../keys/keyring.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { isAccessDeniedError, isOutOfSpaceError } from "../file-errors.ts";
import { createRepositories } from "../repository/repositories.ts";
import { createLog } from "../services.ts";
import { failureReason } from "../foreign-failure.ts";
import { loadChosenCompanies } from "./companies.ts";
import type { OutputFlags } from "./output.ts";

export interface VerifyPartsOptions extends OutputFlags {
  repo?: boolean;
  audit?: boolean;
  assets?: boolean;
  /** The path of a backup to compare with. */
  backup?: string;
  checkpoints?: string;
  company?: string;
  expect?: string;
}

export const parts = ["database", "ledger", "versions", "assets", "repositories", "audit", "keys"] as const;
export type VerifiedPart = (typeof parts)[number] | "backup";

export interface PartReport {
  part: VerifiedPart;
  ok: boolean;
  /**
   * True if the part wasn't checked, because a store doesn't answer or this user can't read it. Its data may be intact.
   */
  unreachable: boolean;
  /** The number of checked documents, events or rows; null if the part counts none. */
  checked: number | null;
  findings: string[];
  /** Known losses: gaps that a restored backup left. */
  known: string[];
}

interface VerifyContext {
  config: Config;
  db: Database<Collections>;
  options: VerifyPartsOptions;
  /**
   * Documents that couldn't be read and that no report has named yet. The next report names them and removes them from
   * this list. Absent if no one collects unreadable documents.
   */
  damaged?: string[];
}

type PartResult = Pick<PartReport, "checked" | "findings">;

export async function checkDataPart(part: VerifiedPart, given: VerifyContext): Promise<PartReport> {
  const { damaged = [] } = given;
  let unreachable = false;
  const result = await checks[part](given).catch((error: unknown) => {
    if (isUsageError(error)) throw error;
    // if the keys are damaged, only the part `keys` is damaged; other parts that need the keys count as not checked
    unreachable = isUnreachable(error) || (part !== "keys" && error instanceof DamagedKeysError);
    const message = verifyErrorMessage(error);
    if (error instanceof DamagedKeysError) return { checked: null, findings: [message] };
    // reading can fail because the data is damaged
    return { checked: null, findings: [unreachable ? message : `it can't be read: ${message}`] };
  });
  const lines = [...new Set([...result.findings, ...damaged.splice(0)])];
  const isKnown = lines.length === 0 ? () => null : await loadKnownLosses(given).catch(() => () => null);
  const known = lines.flatMap((line) => isKnown(line) ?? []);
  const findings = lines.filter((line) => isKnown(line) === null);
  return { part, ok: findings.length === 0, unreachable, checked: result.checked, findings, known };
}

/**
 * Returns a function that says which findings are known losses. If the file of keys is damaged, no finding counts as
 * known.
 */
const loadKnownLosses = async ({ config, db }: VerifyContext) => loadKnownLossLookup(db, readKeyring(config));

const isUnreachable = (error: unknown) =>
  error instanceof DatabaseUnavailableError ||
  isOutOfSpaceError(error) ||
  // the settings name another store than the one with the data
  error instanceof DataFolderError ||
  isAccessDeniedError(error);

function verifyErrorMessage(error: unknown): string {
  if (isAccessDeniedError(error))
    return `${(error as NodeJS.ErrnoException).path}: permission denied: give DATA_DIR to the server's user (chown -R)`;
  return failureReason(error);
}

const isUsageError = (error: unknown) => error instanceof Error && ["AppError", "ConfigError"].includes(error.name);

const checks: Record<VerifiedPart, (given: VerifyContext) => Promise<PartResult>> = {
  async database({ config, db }) {
    const keys = readKeyring(config);
    const damage = [
      ...(await db.damage()),
      ...(await findLossesFault(db, keys)),
      ...(await findMissingCompanyLines(db)),
    ];
    damage.push(...(await loadLostFactLines(db)), ...(await findInstallationFault(db, config.dataDir)));
    damage.push(...(await checkAllShares(createReferencesCheck(db))).findings);
    return { checked: null, findings: [...damage, ...(await findDocumentsStillMissing(db, keys))] };
  },
  ledger: (given) => checkEachCompany(given, ({ _id }) => checkAllShares(createLedgerCheck(given.db, _id))),
  async versions({ db }) {
    const versions = await checkAllShares(createVersionsCheck(db));
    const sops = await checkAllShares(createSopsCheck(db));
    return { checked: versions.checked, findings: [...versions.findings, ...sops.findings] };
  },
  assets: async ({ config, db }) => checkAllShares(createAssetsCheck(db, await openBlobs(config, db))),
  async repositories(given) {
    const { config, db, options } = given;
    const log = createLog(config);
    const dir = path.join(config.dataDir, "repositories");
    const repositories = createRepositories({
      dir,
      ledger: createDatabaseLedger(db, await openBlobs(config, db)),
      log,
    });
    try {
      const { expect } = options;
      return await checkEachCompany(given, (company) =>
        checkAllShares(createRepositoryCheck(repositories, company, { expect })),
      );
    } finally {
      await repositories.close();
      log.flush();
    }
  },
  async audit(given) {
    const { config, db, options } = given;
    const outside = await readCheckpoints(options.checkpoints ?? checkpointFilePath(config.dataDir));
    const keys = readKeyring(config).verifyKeys();
    const lost = options.company === undefined ? await findMissingCompanies(db, outside) : [];
    const known = await checkEachCompany(given, async ({ _id, slug, createdAt }) => {
      const { rows, findings } = await verifyCompanyAudit(db, { _id, createdAt }, { keys, outside });
      return { checked: rows, findings: findings.map(({ message }) => `${slug}: ${message}`) };
    });
    const gone = lost.map(({ _id }) => `company ${_id} is gone with its audit log`);
    return { checked: known.checked, findings: [...known.findings, ...gone] };
  },
  keys: async ({ config, db }) => checkAllShares(createKeysCheck(db, readKeyring(config))),
  async backup({ config, db, options }) {
    const { summary } = await checkBackup(options.backup ?? "");
    const stored = await db.snapshot(async (moment) => summarizeDatabase(moment, await openBlobs(config, moment)));
    const checked = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
    return { checked, findings: backupDifferences(summary, stored) };
  },
};

/** Checks each company separately, so that unreadable data of one company doesn't hide damage of another. */
async function checkEachCompany(
  { db, options }: VerifyContext,
  check: (company: { _id: string; slug: string; createdAt: string }) => Promise<PartResult>,
): Promise<PartResult> {
  const sum = { checked: 0, findings: [] as string[] };
  for (const company of await loadChosenCompanies(db, options.company)) {
    const { checked, findings } = await check(company).catch((error: unknown) => {
      if (isUsageError(error) || !(error instanceof Error) || isUnreachable(error)) throw error;
      return { checked: 0, findings: [`${company.slug}: it can't be read: ${failureReason(error)}`] };
    });
    sum.checked += checked ?? 0;
    sum.findings.push(...findings);
  }
  return sum;
}
