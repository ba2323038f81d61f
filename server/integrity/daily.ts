/**
 * Looks at a share of everything that is stored every quarter of an hour, so that damage is found before somebody needs what
 * is damaged: files, versions and SOPs by turns, the database file once a day. One server does it, by lease. Where it is, and
 * what it found in the last whole round and in this one, is kept in the database.
 */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Leases } from "../jobs/leases.ts";
import type { Jobs } from "../jobs/overdue.ts";
import type { Keyring } from "../keys/keyring.ts";
import { checkKeys } from "./keys.ts";
import type { CheckShare } from "./report.ts";
import { checkAssets, checkSops, checkVersions } from "./stored.ts";

export interface IntegrityOptions {
  db: Database<Collections>;
  clock: Clock;
  leases: Leases;
  jobs: Jobs;
  log: Pick<Logger, "error">;
  keys: Pick<Keyring, "open">;
}

/** A round of one check, or the part of it that is done. */
interface Round {
  after: string;
  /** When this round began. */
  since: string;
  found: string[];
  /** What the round before it found. */
  before: string[];
}

const everyMs = 15 * 60_000;
const leaseMs = 10 * 60_000;
const dayMs = 24 * 3_600_000;
/** Of each check in a run: some 4,000 files and 50,000 versions a day. */
const sharesAtOnce = 10;
const keptAtMost = 20;
const prefix = "integrity:";

/** What is known to be damaged. */
export async function knownDamage(db: Pick<Database<Collections>, "collection">): Promise<string[]> {
  const rounds = await db.collection("system").find({ _id: { $gte: prefix, $lt: "integrity;" } });
  return rounds.flatMap(({ value }) => {
    const { found, before } = JSON.parse(value) as Round;
    return [...new Set([...before, ...found])];
  });
}

/** The next share of each check. */
export async function checkShares({ db, clock, log, keys }: Omit<IntegrityOptions, "leases" | "jobs">): Promise<void> {
  const wholeFile: CheckShare = async () => ({ checked: 0, next: null, findings: await db.damage() });
  const checks: Record<string, { check: CheckShare; everyMs: number }> = {
    assets: { check: checkAssets(db), everyMs: 0 },
    versions: { check: checkVersions(db), everyMs: 0 },
    sops: { check: checkSops(db), everyMs: 0 },
    keys: { check: checkKeys(db, keys), everyMs: dayMs },
    database: { check: wholeFile, everyMs: dayMs },
  };
  const system = db.collection("system");
  for (const [name, { check, everyMs: pause }] of Object.entries(checks)) {
    const _id = `${prefix}${name}`;
    const stored = await system.findOne({ _id });
    let round: Round = stored
      ? (JSON.parse(stored.value) as Round)
      : { after: "", since: new Date(0).toISOString(), found: [], before: [] };
    if (round.after === "" && clock.millis() - Date.parse(round.since) < pause) continue;
    for (let n = 0; n < sharesAtOnce; n++) {
      if (round.after === "") round = { ...round, since: clock.now(), found: [] };
      const { next, findings } = await check(round.after);
      const isNew = findings.filter((line) => !round.before.includes(line));
      if (isNew.length > 0) log.error({ check: name, findings: isNew.slice(0, keptAtMost) }, "stored data is damaged");
      round = { ...round, after: next ?? "", found: [...round.found, ...findings].slice(0, keptAtMost) };
      if (next !== null) continue;
      round = { ...round, before: round.found };
      break;
    }
    const at = clock.now();
    await system.updateOne({ _id }, { $set: { value: JSON.stringify(round), at } }, { upsert: true });
  }
}

export function startIntegrityChecks(options: IntegrityOptions): () => void {
  const { leases, jobs } = options;
  const job = jobs.watch("integrity", everyMs);
  const run = () => leases.hold("integrity", leaseMs, () => checkShares(options));
  const timer = setInterval(() => void job.pass(run), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
