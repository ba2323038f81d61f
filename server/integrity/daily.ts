/**
 * Checks a share of all stored data every quarter of an hour, to find damage early. One server checks the database, by
 * lease. Each server checks the repositories on its own disk. A file of SQLite can change while no server runs, so its
 * checks also begin after each start.
 */
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Blobs } from "../blobs/port.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Leases } from "../jobs/leases.ts";
import { reportProgress, type Jobs } from "../jobs/overdue.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Repositories } from "../repository/repositories.ts";
import type { VerifyReport } from "../repository/verify.ts";
import { createCompaniesCheck, findMissingCompanyLines } from "./companies.ts";
import { createKeysCheck } from "./keys.ts";
import { createLedgerCheck } from "./ledger.ts";
import type { ShareCheck } from "./report.ts";
import { createRepositoryCheck } from "./repositories.ts";
import { removeRecoveredLosses } from "./end-losses.ts";
import { findLossesFault } from "../findings/known-losses.ts";
import { createDatabaseRounds, createFileRounds, type Rounds } from "../findings/rounds.ts";
import { createReferencesCheck } from "./references.ts";
import { createAssetsCheck, createSopsCheck, createVersionsCheck } from "./stored.ts";
import { recordVerification } from "./witness.ts";

export interface IntegrityOptions {
  db: Database<Collections>;
  blobs: Pick<Blobs, "get">;
  clock: Clock;
  log: Pick<Logger, "error">;
  keys: Pick<Keyring, "open" | "signing" | "verifyKeys">;
  repositories: Pick<Repositories, "verify">;
  config: Pick<Config, "dataDir" | "witnessFile">;
}

export interface IntegrityChecks {
  /** Runs the next shares of each check of the database. */
  database(signal?: AbortSignal): Promise<void>;
  /** Runs the next shares of the check of this server's repositories. */
  repositories(signal?: AbortSignal): Promise<void>;
  /** Returns a line for each damage that the last rounds found, in the database and on this server's disk. */
  damage(): Promise<string[]>;
}

interface TimedCheck {
  check: ShareCheck;
  /** Milliseconds from the start of a round to the next. 0 for a check that takes days: it always goes on. */
  everyMs: number;
}

const everyMs = 15 * 60_000;
/** The wait before the first check after a start, so that the server first reads what requests need. */
const afterStartMs = 60_000;
const leaseMs = 10 * 60_000;
const dayMs = 24 * 3_600_000;
/**
 * The number of shares of each check in a run. In a day that is some 4,000 files, 50,000 versions, 400,000 audit
 * entries, 900,000 events and 900 repositories.
 */
const sharesAtOnce = 10;
/**
 * The number of shares in a run until the first round after a start has begun. It is 100,000 documents with references:
 * 10,000 new SOPs have 43,000, and 17,000 events, read in 3 s.
 */
const sharesAfterStart = 200;
const keptAtMost = 20;

export function createIntegrityChecks(options: IntegrityOptions): IntegrityChecks {
  const { db, blobs, clock, keys, repositories, config } = options;
  const shared = createDatabaseRounds(db, clock);
  const own = createFileRounds(path.join(config.dataDir, "repositories", "checked.json"));
  const begun = new Set<string>();
  const roundsOfDatabase = { rounds: shared, begun, atStart: db.engine === "sqlite" };
  const checkDatabaseFile: ShareCheck = async () => ({
    checked: 0,
    next: null,
    findings: [...(await db.damage()), ...(await findLossesFault(db, keys)), ...(await findMissingCompanyLines(db))],
  });
  return {
    async database(signal) {
      await removeRecoveredLosses(options);
      await runShares(options, roundsOfDatabase, signal, {
        versions: { check: createVersionsCheck(db), everyMs: 0 },
        sops: { check: createSopsCheck(db), everyMs: 0 },
        ledger: { check: createCompaniesCheck(db, ({ _id }) => createLedgerCheck(db, _id)), everyMs: dayMs },
        keys: { check: createKeysCheck(db, keys), everyMs: dayMs },
        database: { check: checkDatabaseFile, everyMs: dayMs },
        references: { check: createReferencesCheck(db), everyMs: dayMs },
        // the last check, because it fails while the store of files is away
        assets: { check: createAssetsCheck(db, blobs), everyMs: 0 },
      });
    },
    repositories(signal) {
      const letOthersWork = async () => {
        signal?.throwIfAborted();
        reportProgress();
        await setImmediate();
      };
      const check = createCompaniesCheck(db, (company) => {
        const onReport = (report: VerifyReport) => recordVerification(options, company, report);
        return createRepositoryCheck(repositories, company, { turn: letOthersWork, onReport });
      });
      return runShares(options, { rounds: own, begun, atStart: false }, signal, {
        repositories: { check, everyMs: dayMs },
      });
    },
    damage: async () => [...(await shared.known()), ...(await own.known())],
  };
}

interface RoundsOfServer {
  rounds: Rounds;
  /** The names of the checks whose round began since this server started. The server adds them. */
  begun: Set<string>;
  /** True if the daily rounds also begin after each start of the server. */
  atStart: boolean;
}

async function runShares(
  { clock, log }: IntegrityOptions,
  { rounds, begun, atStart }: RoundsOfServer,
  signal: AbortSignal | undefined,
  checks: Readonly<Record<string, TimedCheck>>,
): Promise<void> {
  for (const [name, { check, everyMs: pause }] of Object.entries(checks)) {
    const isFirst = atStart && pause > 0 && !begun.has(name);
    let round = (await rounds.read(name)) ?? { after: "", since: new Date(0).toISOString(), found: [], before: [] };
    const begins = round.after === "";
    if (begins && !isFirst && Math.abs(clock.millis() - Date.parse(round.since)) < pause) continue;
    for (let n = 0; n < (isFirst ? sharesAfterStart : sharesAtOnce); n++) {
      signal?.throwIfAborted();
      if (round.after === "") round = { ...round, since: clock.now(), found: [] };
      const { next, findings } = await check(round.after);
      const isNew = findings.filter((line) => !round.before.includes(line));
      if (isNew.length > 0) log.error({ check: name, findings: isNew.slice(0, keptAtMost) }, "stored data is damaged");
      round = { ...round, after: next ?? "", found: [...round.found, ...findings].slice(0, keptAtMost) };
      if (next === null) round = { ...round, before: round.found };
      reportProgress();
      await setImmediate();
      if (next === null) break;
    }
    await rounds.write(name, round);
    if (begins) begun.add(name);
  }
}

export function startIntegrityChecks(
  checks: IntegrityChecks,
  { leases, jobs }: { leases: Leases; jobs: Pick<Jobs, "every"> },
): () => Promise<void> {
  const stops = [
    jobs.every({ name: "integrity", everyMs, firstMs: afterStartMs }, (signal) =>
      leases.hold("integrity", leaseMs, () => checks.database(signal)),
    ),
    jobs.every({ name: "integrity of repositories", everyMs, firstMs: everyMs }, (signal) =>
      checks.repositories(signal),
    ),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
