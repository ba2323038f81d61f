/** Records and signs the gaps of a damaged backup when it is restored, so that `verify` knows them. */
import type { Clock } from "#core/clock.ts";
import type { CheckedBackup } from "../backup/read.ts";
import { openBlobs } from "../blobs/open.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import { latestSchema } from "../database/migration-list.ts";
import type { Database } from "../database/port.ts";
import {
  toLossesWithCompanyIds,
  isDocumentThere,
  parseSignedLosses,
  lossOfDocument,
  writeLosses,
  type Loss,
  type RepositoryLoss,
} from "../findings/known-losses.ts";
import { withNames } from "../findings/names.ts";
import { loadLostFactLines, recordLostFacts } from "../findings/lost-facts.ts";
import { findLostCompanyIds } from "../integrity/companies.ts";
import { systemUserName } from "../home.ts";
import { hasKeys, readKeyring, type Keyring } from "../keys/keyring.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { findNewLoss, type PresentSop } from "../repository/losses.ts";
import { filePlacesOfSop } from "#core/life-cycle/ledger.ts";
import { reconstructCompany } from "./recreate-company.ts";
import { reconstructCounters } from "./recreate-counters.ts";
import { checkDataPart, parts } from "./verify-parts.ts";

export interface RecordedLosses {
  /** A line for each known loss. */
  known: string[];
  /** The reason why some or all losses aren't recorded, as a sentence; null if all are recorded. */
  whyNotRecorded: string | null;
}

export async function recordLosses(
  { config, db, clock }: { config: Config; db: Database<Collections>; clock: Clock },
  { header, missing }: CheckedBackup,
): Promise<RecordedLosses> {
  const keys = readKeyring(config);
  // data of an earlier version can't be checked before the next start of the server has migrated it
  const isCurrent = header.schema >= latestSchema;
  const lost = isCurrent ? await recreateLostRecords(db, { keys, missing, at: clock.now() }) : [];
  if (missing.length === 0 && header.losses === undefined && lost.length === 0)
    return { known: [], whyNotRecorded: null };
  if (!hasKeys(config))
    return { known: lost, whyNotRecorded: "no keys are here to sign what is missing, so verify names it as damage" };
  const carried = header.losses === undefined ? [] : parseSignedLosses(header.losses, keys);
  const losses: Loss[] = [...(carried ?? [])];
  const repositories = isCurrent ? await findRepositoryLosses(config, db, losses) : [];
  if (missing.length > 0 || repositories.length > 0 || lost.length > 0) {
    const found: string[] = [];
    for (const part of isCurrent && missing.length > 0 ? parts : [])
      found.push(...(await checkDataPart(part, { config, db, options: {} })).findings);
    // lost events at the end aren't a gap yet, but they become one with the next event
    const events = repositories.flatMap(({ companyId, events }) =>
      events.map((seq) => `company ${companyId}: event ${seq} is missing`),
    );
    const documents: string[] = [];
    for (const line of missing.map(lossOfDocument))
      if (line !== null && !(await isDocumentThere(db, line))) documents.push(line);
    const findings = [...new Set([...lost, ...documents, ...(await toLossesWithCompanyIds(db, found)), ...events])];
    const loss = { at: header.at, restoredAt: clock.now(), by: systemUserName(), missing: [...missing] };
    losses.push({ ...loss, findings, ...(repositories.length > 0 && { repositories }) });
  }
  await writeLosses(db, losses, { keys, at: clock.now() });
  return {
    known: await withNames(
      db,
      losses.flatMap(({ at, findings }) => findings.map((line) => `missing since the backup of ${at}: ${line}`)),
    ),
    whyNotRecorded:
      carried === null ? "the backup's record of earlier losses has no valid signature, so it is left out" : null,
  };
}

/**
 * Creates the missing records and counters of companies.
 * @returns a line for each fact that the created records lack
 */
async function recreateLostRecords(
  db: Database<Collections>,
  { keys, missing, at }: { keys: Keyring; missing: readonly string[]; at: string },
): Promise<string[]> {
  const lacksEntries = missing.some((line) => line.includes(" of audit_logs"));
  const lost: string[] = [];
  for (const companyId of await findLostCompanyIds(db)) {
    const company = db.forCompany(companyId);
    const named = await Promise.all([
      company.collection("users").find({}, { limit: 1 }),
      company.collection("sops").find({}, { limit: 1 }),
      company.collection("repo_events").find({}, { limit: 1 }),
    ]);
    // a single document isn't enough proof: its id could be damaged and name a company that never existed
    if (named.filter((found) => found.length > 0).length < 2) continue;
    await db.collection("companies").insertOne(await reconstructCompany(db, companyId, { keys, lacksEntries, at }));
    await recordLostFacts(db, companyId, at);
    lost.push(...(await loadLostFactLines(db)).filter((line) => line.startsWith(`company ${companyId}: `)));
  }
  for (const { _id } of await db.collection("companies").find({}, { projection: { slug: 1 } }))
    if ((await db.collection("counters").findOne({ _id })) === null)
      await db.collection("counters").insertOne(await reconstructCounters(db, _id));
  return lost;
}

async function findRepositoryLosses(
  config: Config,
  db: Database<Collections>,
  known: readonly Loss[],
): Promise<RepositoryLoss[]> {
  const ledger = createDatabaseLedger(db, await openBlobs(config, db));
  const found: RepositoryLoss[] = [];
  for (const { _id } of await db.collection("companies").find({}, { projection: { slug: 1 } })) {
    const counters = await db.collection("counters").findOne({ _id });
    const last = counters?.repoSeq ?? (await ledger.lastSeq(_id));
    const ofCompany = known.flatMap(({ repositories = [] }) => repositories).filter((one) => one.companyId === _id);
    const loss = await findNewLoss(ledger, { companyId: _id, last, sops: await loadPresentSops(db, _id) }, ofCompany);
    if (loss !== null) found.push(loss);
  }
  return found;
}

async function loadPresentSops(db: Database<Collections>, companyId: string): Promise<PresentSop[]> {
  const company = db.forCompany(companyId);
  const categories = await company.collection("categories").find({}, { projection: { slug: 1 } });
  const slugs = new Map(categories.map(({ _id, slug }) => [_id, slug]));
  const slugOf = (id: string | null) => (id === null ? null : (slugs.get(id) ?? null));
  const sops = await company.collection("sops").find({});
  return sops.map((sop) => {
    const { _id: sopId, number, label, title } = sop;
    const isCategoryLost = [sop.categoryId, sop.published?.categoryId].some((id) => id && !slugs.has(id));
    return { sopId, number, label, title, place: filePlacesOfSop(sop, slugOf), isCategoryLost };
  });
}
