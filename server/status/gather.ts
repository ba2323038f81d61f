/**
 * Gathers the state of this server: for `/readyz`, `/metrics`, `sop admin status` and the page of system
 * administrators.
 */
import process from "node:process";
import type { ServerStatus, StatusPart } from "#core/status/schema.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { isFromFuture } from "../backup/folder.ts";
import type { LastBackup } from "../backup/last.ts";
import type { Backups, BackupState } from "../backup/schedule.ts";
import type { OutboxDocument } from "../database/documents.ts";
import { isAboutCollection, type Filter } from "../database/port.ts";
import { loadLostFactLines } from "../findings/lost-facts.ts";
import { withNames } from "../findings/names.ts";
import { respondsInTime } from "../http/health.ts";
import type { Services } from "../http/services.ts";
import type { Jobs } from "../jobs/overdue.ts";
import { findMirrorsInTrouble } from "../mirror/store.ts";
import { findFolderFault, readFreeDiskShare, findConfiguredPathFault } from "./places.ts";

export interface StatusSources {
  services: Services;
  jobs: Pick<Jobs, "report" | "overdue">;
  backups: Pick<Backups, "state">;
  /** The damage that checks and requests found. */
  damage(): Promise<string[]>;
  /** A warning if requests arrive at another address than the server expects. */
  addressWarning(): string | null;
  /** The kinds of outbox items that are emails. */
  emailKinds: readonly string[];
  version: string;
  /** A message if a newer version takes over the data; null otherwise. */
  takenOver(): string | null;
}

const leastFreeShare = 0.05;
const lostText = "a whole table of the database can't be read: restore the last backup";
/** The maximum number of items to read to find the oldest one. */
const itemsReadAtMost = 1_000;
/**
 * The ages at which waiting items are late. Emails are retried for hours. Commits take seconds, and minutes after an
 * import or a restore.
 */
const emailsLateSeconds = 3_600;
const commitsLateSeconds = 1_800;
const totalsKeptMs = 5_000;

/**
 * Creates the function that gathers the state. Numbers that the database must count are zero while the database doesn't
 * answer.
 */
export function createStatusGatherer(sources: StatusSources): () => Promise<ServerStatus> {
  const { services, jobs, version } = sources;
  const { config, db, blobs, clock, search, shares, render, printer } = services;
  const startedAt = performance.now();
  const named = createDamageNamer(services);
  const totals = createCachedReader(totalsKeptMs, () => loadCompanyTotals(services));

  return async () => {
    const [isUp, hasFiles] = await Promise.all([respondsInTime(db.ping()), respondsInTime(blobs.ping())]);
    const { emails, work, repositories } = isUp ? await gatherDatabaseCounts(sources).catch(() => nothing) : nothing;
    const backups = isUp ? await sources.backups.state().catch(() => noBackups) : noBackups;
    const { last } = backups;
    const loads = { ...mapRecordValues(shares, (queue) => queue.load()), render: render.load(), print: printer.load() };
    const { open, behind, ...searching } = search.load();
    const damage = isUp ? await sources.damage().catch(() => []) : [];
    const lost = isUp ? await loadLostFactLines(db).catch(() => []) : [];
    const gauges = {
      version,
      engine: db.engine,
      at: clock.now(),
      uptimeSeconds: Math.round((performance.now() - startedAt) / 1000),
      memoryBytes: process.memoryUsage.rss(),
      queues: Object.entries({ ...loads, search: searching }).map(([queue, load]) => ({ queue, ...load })),
      database: db.load(),
      jobs: jobs.report(),
      emails,
      work,
      repositories,
      damage: isUp ? await named.lines([...damage, ...lost]) : [],
      mirrors: isUp ? await findMirrorsInTrouble(services).catch(() => []) : [],
      search: { open, behind },
      backup: last && backupStatus(last, clock.millis()),
      diskFree: await readFreeDiskShare(config.dataDir),
      ...(isUp ? await totals().catch(() => noTotals) : noTotals),
    };
    return {
      ...gauges,
      parts: statusParts(gauges, {
        isUp,
        takenOver: sources.takenOver(),
        stored: damageWarning(damage, lost) ?? (isUp ? await clockWarning(services).catch(() => null) : null),
        hasFiles,
        late: jobs.overdue(),
        addressWarning: sources.addressWarning(),
        backups,
        services,
        places: {
          settings: await findConfiguredPathFault(config),
          repositories: await findFolderFault(config.dataDir, "repositories"),
          search: await findFolderFault(config.dataDir, "search"),
        },
      }),
    };
  };
}

interface GatheredStatus {
  isUp: boolean;
  takenOver: string | null;
  /** The damage of stored data; null if there is none. */
  stored: string | null;
  hasFiles: boolean;
  late: readonly string[];
  addressWarning: string | null;
  backups: BackupState;
  services: Services;
  /** The reason why each folder or setting can't be used; null if it can. */
  places: Readonly<Record<"settings" | "repositories" | "search", string | null>>;
}

function diskWarning(diskFree: number | null, { services, places }: GatheredStatus): string | null {
  const { space, db } = services;
  if (space.isFull()) {
    const disk = db.engine === "sqlite" ? "the disk of DATA_DIR" : "the disk of the database";
    const refused = space.isUsedUp() ? "saves and sign-ins are refused" : "saves are refused";
    return `${disk} is full, so ${refused}: free some space, or make it larger`;
  }
  if (diskFree !== null && diskFree < leastFreeShare) return "less than 5 % of the disk is free";
  return services.folderWarning() ?? places.settings;
}

function statusParts(gauges: Omit<ServerStatus, "parts">, seen: GatheredStatus): StatusPart[] {
  const { emails, repositories, search, mirrors, diskFree } = gauges;
  const statusPart = (name: StatusPart["part"], warning: string | null, ok: string): StatusPart =>
    seen.isUp || name === "disk" || name === "jobs" || name === "address"
      ? { part: name, state: warning === null ? "ok" : "warning", text: warning ?? ok }
      : { part: name, state: "unknown", text: "unknown while the database does not answer" };
  const problem = seen.takenOver ?? (seen.isUp ? null : "the database does not answer");
  const isLost = gauges.damage.some(isAboutCollection);
  const database: StatusPart =
    problem === null
      ? statusPart("database", isLost ? lostText : null, "the database answers")
      : { part: "database", state: "problem", text: problem };
  const [oldEmail, oldCommit] = [emails.oldestSeconds ?? 0, repositories.oldestSeconds ?? 0];
  const { last, warning, text } = seen.backups;
  const hasBackups = last !== null || warning !== null || seen.services.config.backup.dir !== null;
  // an unreachable store of files is only a warning: the server still reads and writes texts
  const files: StatusPart = seen.hasFiles
    ? { part: "files", state: "ok", text: "the store of images and PDFs answers" }
    : { part: "files", state: "warning", text: "the store of images and PDFs does not answer, or refuses" };
  return [
    database,
    ...(seen.services.blobs.kind === "s3" ? [files] : []),
    ...(seen.addressWarning === null ? [] : [statusPart("address", seen.addressWarning, "")]),
    statusPart("disk", diskWarning(diskFree, seen), "there is space, and this user can write DATA_DIR"),
    statusPart("jobs", seen.late.length > 0 ? seen.late.join(". ") : null, "all jobs run"),
    statusPart(
      "emails",
      oldEmail > emailsLateSeconds ? `an email has waited for ${durationText(oldEmail)}` : null,
      emails.pending === 0 ? "none waits" : countAndNoun(emails.pending, "waits", "wait"),
    ),
    statusPart(
      "repositories",
      seen.places.repositories ??
        (oldCommit > commitsLateSeconds ? `a change has waited for its commit for ${durationText(oldCommit)}` : null),
      repositories.pending === 0
        ? "all changes are committed"
        : countAndNoun(repositories.pending, "change waits for its commit", "changes wait for their commit"),
    ),
    statusPart(
      "search",
      seen.places.search ??
        (search.behind > 0
          ? `the search of ${countAndNoun(search.behind, "company", "companies")} can't follow: its files can't be written`
          : null),
      "the search is up to date",
    ),
    statusPart("mirrors", mirrorTroubleText(mirrors), "no mirror needs an administrator"),
    statusPart("stored data", seen.stored, "no damage was found"),
    hasBackups ? statusPart("backups", warning, text) : { part: "backups", state: "off", text },
  ];
}

function damageWarning(damage: readonly string[], lost: readonly string[]): string | null {
  if (damage.length > 0) return "stored data is damaged: run sop admin verify";
  return lost.length > 0
    ? "a restore made records of companies again: check the settings and plan limits that sop admin status names"
    : null;
}

const dayMs = 86_400_000;

/**
 * Returns a warning if the clock is before the installation's creation, because saves get the clock's time and jobs
 * wait for it.
 */
async function clockWarning({ db, clock }: Services): Promise<string | null> {
  const [made] = await db.collection("system").find({ _id: "installation" }, { limit: 1 });
  const now = clock.now();
  if (made === undefined || Date.parse(made.at) - Date.parse(now) < dayMs) return null;
  return `the server's clock is wrong: it says ${now.slice(0, 10)}, and this installation was made on ${made.at.slice(0, 10)}. Set the clock`;
}

/** Returns a text such as 'mirrors of repositories need an administrator: 1 stopped, 1 paused since a restore'. */
function mirrorTroubleText(mirrors: ServerStatus["mirrors"]): string | null {
  if (mirrors.length === 0) return null;
  const kinds = [
    ["stopped", "stopped"],
    ["failing", "fail"],
    ["paused", "paused since a restore"],
  ] as const;
  const counts = kinds.flatMap(([state, text]) => {
    const count = mirrors.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return `mirrors of repositories need an administrator: ${counts.join(", ")}`;
}

/** Returns a length of time such as '60 minutes', '30 hours' or '51 days'. */
function durationText(seconds: number): string {
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} hours` : `${Math.floor(seconds / 86_400)} days`;
}

/**
 * Returns the state of the last backup. Clocks of servers differ a little, so only an age far below zero means a wrong
 * clock.
 */
function backupStatus(last: LastBackup, now: number): ServerStatus["backup"] {
  const { at, bytes, seconds, hasKeys, damaged } = last;
  const age = Math.round((now - Date.parse(at)) / 1000);
  return { at, bytes, seconds, hasKeys, damaged, ageSeconds: isFromFuture(last, now) ? age : Math.max(0, age) };
}

const noBackups: BackupState = { last: null, warning: null, text: "" };
const idle = { pending: 0, oldestSeconds: null, failed: 0 };
const nothing = { emails: idle, work: idle, repositories: { pending: 0, oldestSeconds: null } };
const noTotals = { companies: 0, users: 0, sops: 0, assetBytes: 0 };

async function gatherDatabaseCounts({ services, emailKinds }: StatusSources) {
  const { db, clock } = services;
  const ageOfOldest = (times: readonly string[]) => {
    const [oldest] = [...times].sort();
    return oldest === undefined ? null : Math.max(0, Math.round((clock.millis() - Date.parse(oldest)) / 1000));
  };
  const outbox = db.collection("outbox");
  const waitingItems = async (of: Filter<OutboxDocument>) => {
    const pending: Filter<OutboxDocument> = { state: "pending", ...of };
    const found = await outbox.find(pending, {
      sort: { dueAt: 1 },
      limit: itemsReadAtMost,
      projection: { createdAt: 1 },
    });
    const failed = await outbox.countDocuments({ state: "failed", ...of });
    const count = found.length < itemsReadAtMost ? found.length : await outbox.countDocuments(pending);
    return { pending: count, oldestSeconds: ageOfOldest(found.map(({ createdAt }) => createdAt)), failed };
  };
  const events = db.collection("repo_events");
  const uncommitted = await events.find({ state: "pending" }, { limit: itemsReadAtMost, projection: { at: 1 } });
  const count =
    uncommitted.length < itemsReadAtMost ? uncommitted.length : await events.countDocuments({ state: "pending" });
  return {
    emails: await waitingItems({ kind: { $in: [...emailKinds] } }),
    work: await waitingItems({ kind: { $nin: [...emailKinds] } }),
    repositories: { pending: count, oldestSeconds: ageOfOldest(uncommitted.map(({ at }) => at)) },
  };
}

/** Sums the totals of all companies, from the counts in their records. */
async function loadCompanyTotals({ db }: Services): Promise<typeof noTotals> {
  const byStatus = await db.collection("companies").aggregate<typeof noTotals & { _id: string }>([
    {
      $group: {
        _id: "$status",
        companies: { $sum: 1 },
        users: { $sum: "$userCount" },
        sops: { $sum: "$sopCount" },
        assetBytes: { $sum: "$assetBytes" },
      },
    },
  ]);
  const kept = byStatus.filter(({ _id }) => _id !== "deleted");
  const sum = (name: keyof typeof noTotals) => kept.reduce((total, one) => total + one[name], 0);
  return { companies: sum("companies"), users: sum("users"), sops: sum("sops"), assetBytes: sum("assetBytes") };
}

function mapRecordValues<K extends string, V, R>(from: Record<K, V>, map: (value: V) => R): Record<K, R> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value as V)])) as Record<K, R>;
}

/**
 * Creates the function that adds names to lines about damage. It looks up names only if the lines changed, because
 * `/readyz` is called each second.
 */
function createDamageNamer({ db }: Services): { lines(found: readonly string[]): Promise<string[]> } {
  let kept: { of: string; lines: string[] } = { of: "", lines: [] };
  return {
    async lines(found) {
      const of = found.join("\n");
      if (of !== kept.of) kept = { of, lines: await withNames(db, found).catch(() => [...found]) };
      return kept.lines;
    },
  };
}

function createCachedReader<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: T } | null = null;
  return async () => {
    if (kept === null || performance.now() - kept.at > ms) kept = { at: performance.now(), value: await make() };
    return kept.value;
  };
}
