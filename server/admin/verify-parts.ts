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
import type { Collections } from "../database/documents.ts";
import { migrations } from "../database/migration-list.ts";
import { DatabaseUnavailableError, type Database } from "../database/port.ts";
import { checkKeys } from "../integrity/keys.ts";
import { checkLedger } from "../integrity/ledger.ts";
import { checkAll } from "../integrity/report.ts";
import { checkRepository } from "../integrity/repositories.ts";
import { checkAssets, checkSops, checkVersions } from "../integrity/stored.ts";
import { readKeyring } from "../keys/keyring.ts";
import { databaseLedger } from "../repository/database-ledger.ts";
import { createRepositories } from "../repository/repositories.ts";
import { createLog } from "../services.ts";
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
  /** Documents, events or rows checked; null if none are counted. */
  checked: number | null;
  findings: string[];
}

interface Given {
  config: Config;
  db: Database<Collections>;
  options: VerifyOptions;
}

type Checked = Pick<PartReport, "checked" | "findings">;

export async function checkPart(part: Part, given: Given): Promise<PartReport> {
  // damage may also show as a failure to read
  const { checked, findings } = await checks[part](given).catch((error: unknown) => {
    if (isUsage(error)) throw error;
    return { checked: null, findings: [`it can't be read: ${error instanceof Error ? error.message : String(error)}`] };
  });
  return { part, ok: findings.length === 0, checked, findings };
}

const isUsage = (error: unknown) => error instanceof Error && ["AppError", "ConfigError"].includes(error.name);

const checks: Record<Part, (given: Given) => Promise<Checked>> = {
  database: async ({ db }) => ({ checked: null, findings: await db.damage() }),
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
  keys: ({ config, db }) => checkAll(checkKeys(db, readKeyring(config))),
  async backup({ config, db, options }) {
    const { summary } = await checkBackup(options.backup ?? "", migrations.length);
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
      if (isUsage(error) || !(error instanceof Error) || error instanceof DatabaseUnavailableError) throw error;
      return { checked: 0, findings: [`${company.slug}: it can't be read: ${error.message}`] };
    });
    sum.checked += checked ?? 0;
    sum.findings.push(...findings);
  }
  return sum;
}
