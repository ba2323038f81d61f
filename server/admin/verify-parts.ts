/** The parts of `sop admin verify`: each is checked by itself, so that damage in one hides no other. */
import path from "node:path";
import { checkpointFile } from "../audit/checkpoints.ts";
import { missingCompanies, verifyCompanyAudit } from "../audit/verify-company.ts";
import { readCheckpoints } from "../audit/verify-daily.ts";
import { summaryOf } from "../backup/documents.ts";
import { differences } from "../backup/format.ts";
import { checkBackup } from "../backup/read.ts";
import { openBlobs } from "../blobs/open.ts";
import type { Config } from "../config.ts";
import { DataFolderError } from "../kept-files.ts";
import { installationFault } from "../data-folder/installation.ts";
import type { Collections } from "../database/documents.ts";
import { DatabaseUnavailableError, type Database } from "../database/port.ts";
import { checkKeys } from "../integrity/keys.ts";
import { knownLosses, lossesFault, missingDocuments } from "../findings/known-losses.ts";
import { lostFactLines } from "../findings/lost-facts.ts";
import { lostCompanies } from "../integrity/companies.ts";
import { checkLedger } from "../integrity/ledger.ts";
import { checkReferences } from "../integrity/references.ts";
import { checkAll } from "../integrity/report.ts";
import { checkRepository } from "../integrity/repositories.ts";
import { checkAssets, checkSops, checkVersions } from "../integrity/stored.ts";
import { DamagedKeysError } from "../keys/key-file.ts";
import { readKeyring } from "../keys/keyring.ts";
import { databaseLedger } from "../repository/database-ledger.ts";
import { isDenied, lacksSpace } from "../file-errors.ts";
import { createRepositories } from "../repository/repositories.ts";
import { createLog } from "../services.ts";
import { reasonOf } from "../foreign-failure.ts";
import { companiesFor } from "./companies.ts";
import type { OutputFlags } from "./output.ts";

export interface VerifyOptions extends OutputFlags {
  repo?: boolean;
  audit?: boolean;
  assets?: boolean;
  /** A file to compare with. */
  backup?: string;
  checkpoints?: string;
  company?: string;
  expect?: string;
}

export const parts = ["database", "ledger", "versions", "assets", "repositories", "audit", "keys"] as const;
export type Part = (typeof parts)[number] | "backup";

export interface PartReport {
  part: Part;
  ok: boolean;
  /** Not checked: a store doesn't answer, or this user can't read it. That says nothing of what is in it. */
  unreachable: boolean;
  /** Documents, events or rows checked; null if none are counted. */
  checked: number | null;
  findings: string[];
  /** Known losses: gaps that a restored backup left. */
  known: string[];
}

interface Given {
  config: Config;
  db: Database<Collections>;
  options: VerifyOptions;
  /** Documents that couldn't be read, and that no part has named. What reads them next leaves them out. */
  damaged?: string[];
}

type Checked = Pick<PartReport, "checked" | "findings">;

export async function checkPart(part: Part, given: Given): Promise<PartReport> {
  const { damaged = [] } = given;
  let unreachable = false;
  const result = await checks[part](given).catch((error: unknown) => {
    if (isUsage(error)) throw error;
    // the part `keys` is the damaged one, and others can't be checked without them
    unreachable = isUnreachable(error) || (part !== "keys" && error instanceof DamagedKeysError);
    const message = messageOf(error);
    if (error instanceof DamagedKeysError) return { checked: null, findings: [message] };
    // damage may also show as a failure to read
    return { checked: null, findings: [unreachable ? message : `it can't be read: ${message}`] };
  });
  const lines = [...new Set([...result.findings, ...damaged.splice(0)])];
  const isKnown = lines.length === 0 ? () => null : await isKnownTo(given).catch(() => () => null);
  const known = lines.flatMap((line) => isKnown(line) ?? []);
  const findings = lines.filter((line) => isKnown(line) === null);
  return { part, ok: findings.length === 0, unreachable, checked: result.checked, findings, known };
}

/** A damaged file of keys knows no losses. */
const isKnownTo = async ({ config, db }: Given) => knownLosses(db, readKeyring(config));

const isUnreachable = (error: unknown) =>
  error instanceof DatabaseUnavailableError ||
  lacksSpace(error) ||
  // a setting that names another store, or none
  error instanceof DataFolderError ||
  isDenied(error);

function messageOf(error: unknown): string {
  if (isDenied(error))
    return `${(error as NodeJS.ErrnoException).path}: permission denied: give DATA_DIR to the server's user (chown -R)`;
  return reasonOf(error);
}

const isUsage = (error: unknown) => error instanceof Error && ["AppError", "ConfigError"].includes(error.name);

const checks: Record<Part, (given: Given) => Promise<Checked>> = {
  async database({ config, db }) {
    const keys = readKeyring(config);
    const damage = [...(await db.damage()), ...(await lossesFault(db, keys)), ...(await lostCompanies(db))];
    damage.push(...(await lostFactLines(db)), ...(await installationFault(db, config.dataDir)));
    damage.push(...(await checkAll(checkReferences(db))).findings);
    return { checked: null, findings: [...damage, ...(await missingDocuments(db, keys))] };
  },
  ledger: (given) => eachCompany(given, ({ _id }) => checkAll(checkLedger(given.db, _id))),
  async versions({ db }) {
    const versions = await checkAll(checkVersions(db));
    const sops = await checkAll(checkSops(db));
    return { checked: versions.checked, findings: [...versions.findings, ...sops.findings] };
  },
  assets: async ({ config, db }) => checkAll(checkAssets(db, await openBlobs(config, db))),
  async repositories(given) {
    const { config, db, options } = given;
    const log = createLog(config);
    const dir = path.join(config.dataDir, "repositories");
    const repositories = createRepositories({ dir, ledger: databaseLedger(db, await openBlobs(config, db)), log });
    try {
      const { expect } = options;
      return await eachCompany(given, (company) => checkAll(checkRepository(repositories, company, { expect })));
    } finally {
      await repositories.close();
      log.flush();
    }
  },
  async audit(given) {
    const { config, db, options } = given;
    const outside = await readCheckpoints(options.checkpoints ?? checkpointFile(config.dataDir));
    const keys = readKeyring(config).verifyKeys();
    const lost = options.company === undefined ? await missingCompanies(db, outside) : [];
    const known = await eachCompany(given, async ({ _id, slug, createdAt }) => {
      const { rows, findings } = await verifyCompanyAudit(db, { _id, createdAt }, { keys, outside });
      return { checked: rows, findings: findings.map(({ message }) => `${slug}: ${message}`) };
    });
    const gone = lost.map(({ _id }) => `company ${_id} is gone with its audit log`);
    return { checked: known.checked, findings: [...known.findings, ...gone] };
  },
  keys: async ({ config, db }) => checkAll(checkKeys(db, readKeyring(config))),
  async backup({ config, db, options }) {
    const { summary } = await checkBackup(options.backup ?? "");
    const stored = await db.snapshot(async (moment) => summaryOf(moment, await openBlobs(config, moment)));
    const checked = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
    return { checked, findings: differences(summary, stored) };
  },
};

/** Damage that makes one company's data unreadable hides no other company's. */
async function eachCompany(
  { db, options }: Given,
  check: (company: { _id: string; slug: string; createdAt: string }) => Promise<Checked>,
): Promise<Checked> {
  const sum = { checked: 0, findings: [] as string[] };
  for (const company of await companiesFor(db, options.company)) {
    const { checked, findings } = await check(company).catch((error: unknown) => {
      if (isUsage(error) || !(error instanceof Error) || isUnreachable(error)) throw error;
      return { checked: 0, findings: [`${company.slug}: it can't be read: ${reasonOf(error)}`] };
    });
    sum.checked += checked ?? 0;
    sum.findings.push(...findings);
  }
  return sum;
}
