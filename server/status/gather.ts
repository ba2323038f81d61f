/** The state of this server: for `/readyz`, `/metrics`, `sop admin status` and the page of system administrators. */
import { statfs } from "node:fs/promises";
import process from "node:process";
import type { ServerStatus, StatusPart } from "#core/status/schema.ts";
import { lastBackup } from "../backup/last.ts";
import { backupWarning } from "../backup/schedule.ts";
import type { OutboxDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import { respondsInTime } from "../http/health.ts";
import type { Services } from "../http/services.ts";
import type { Jobs } from "../jobs/overdue.ts";

export interface StatusSources {
  services: Services;
  jobs: Pick<Jobs, "report" | "overdue">;
  /** Damage that was found. */
  damage(): Promise<readonly string[]>;
  /** Kinds of the outbox that are emails. */
  emailKinds: readonly string[];
  version: string;
}

const leastFreeShare = 0.05;
/** Items looked at for the oldest of them. */
const lookedAt = 1_000;
/** Emails are repeated for hours. Commits take seconds, and minutes after an import or a restore. */
const emailsLateSeconds = 3_600;
const commitsLateSeconds = 1_800;
const totalsKeptMs = 60_000;

/** What the database would have to count is zero while it doesn't answer. */
export function createStatus(sources: StatusSources): () => Promise<ServerStatus> {
  const { services, jobs, version } = sources;
  const { config, db, blobs, clock, search, shares, render, printer } = services;
  const startedAt = performance.now();
  const totals = keptFor(totalsKeptMs, () => totalsOf(services));

  return async () => {
    const [isUp, hasFiles] = await Promise.all([respondsInTime(db.ping()), respondsInTime(blobs.ping())]);
    const { emails, work, repositories } = isUp ? await countsOf(sources).catch(() => nothing) : nothing;
    const last = await lastBackup(db, config).catch(() => null);
    const loads = { ...mapOf(shares, (queue) => queue.load()), render: render.load(), print: printer.load() };
    const { open, behind, ...searching } = search.load();
    const diskFree = await freeShare(config.dataDir);
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
      search: { open, behind },
      backup: last && { ...last, ageSeconds: Math.round((clock.millis() - Date.parse(last.at)) / 1000) },
      diskFree,
      ...(isUp ? await totals().catch(() => noTotals) : noTotals),
    };
    const damage = isUp ? await sources.damage().catch(() => []) : [];
    const backupText = isUp ? await backupWarning(services).catch(() => null) : null;
    return {
      ...gauges,
      parts: partsOf(gauges, { isUp, hasFiles, damage, late: jobs.overdue(), backupText, services }),
    };
  };
}

interface Seen {
  isUp: boolean;
  hasFiles: boolean;
  damage: readonly string[];
  late: readonly string[];
  backupText: string | null;
  services: Services;
}

function partsOf(gauges: Omit<ServerStatus, "parts">, seen: Seen): StatusPart[] {
  const { emails, repositories, search, diskFree, backup } = gauges;
  const part = (name: StatusPart["part"], warning: string | null, ok: string): StatusPart =>
    seen.isUp || name === "disk" || name === "jobs"
      ? { part: name, state: warning === null ? "ok" : "warning", text: warning ?? ok }
      : { part: name, state: "unknown", text: "unknown while the database does not answer" };
  const database: StatusPart = seen.isUp
    ? { part: "database", state: "ok", text: "the database answers" }
    : { part: "database", state: "problem", text: "the database does not answer" };
  const isFull = diskFree !== null && diskFree < leastFreeShare;
  const [oldEmail, oldCommit] = [emails.oldestSeconds ?? 0, repositories.oldestSeconds ?? 0];
  const hasBackups = seen.services.config.backup.dir !== null || backup !== null;
  const backups = part("backups", seen.backupText, backup === null ? "" : `the last one is of ${backup.at}`);
  // the server stays in service: texts can be read and written
  const files: StatusPart = seen.hasFiles
    ? { part: "files", state: "ok", text: "the store of images and PDFs answers" }
    : { part: "files", state: "warning", text: "the store of images and PDFs does not answer, or refuses" };
  return [
    database,
    ...(seen.services.blobs.kind === "s3" ? [files] : []),
    part("disk", isFull ? "less than 5 % of the disk is free" : null, "there is space"),
    part("jobs", seen.late.length > 0 ? seen.late.join(". ") : null, "all jobs run"),
    part(
      "emails",
      oldEmail > emailsLateSeconds ? `an email has waited for ${lengthOf(oldEmail)}` : null,
      emails.pending === 0 ? "none waits" : `${emails.pending} wait`,
    ),
    part(
      "repositories",
      oldCommit > commitsLateSeconds ? `a change has waited for its commit for ${lengthOf(oldCommit)}` : null,
      repositories.pending === 0
        ? "all changes are committed"
        : `${repositories.pending} changes wait for their commit`,
    ),
    part(
      "search",
      search.behind > 0 ? `the search of ${search.behind} companies can't follow: the disk is full` : null,
      "the search is up to date",
    ),
    part(
      "stored data",
      seen.damage.length > 0 ? "stored data is damaged: run sop admin verify" : null,
      "no damage was found",
    ),
    hasBackups ? backups : { part: "backups", state: "off", text: "this server makes none, and none is known" },
  ];
}

/** '60 minutes', '30 hours', '51 days' */
function lengthOf(seconds: number): string {
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} hours` : `${Math.floor(seconds / 86_400)} days`;
}

const idle = { pending: 0, oldestSeconds: null, failed: 0 };
const nothing = { emails: idle, work: idle, repositories: { pending: 0, oldestSeconds: null } };
const noTotals = { companies: 0, users: 0, sops: 0, assetBytes: 0 };

async function countsOf({ services, emailKinds }: StatusSources) {
  const { db, clock } = services;
  const age = (times: readonly string[]) => {
    const [oldest] = [...times].sort();
    return oldest === undefined ? null : Math.max(0, Math.round((clock.millis() - Date.parse(oldest)) / 1000));
  };
  const outbox = db.collection("outbox");
  const waiting = async (of: Filter) => {
    const pending = { state: "pending" satisfies OutboxDocument["state"], ...of };
    const found = await outbox.find(pending, { sort: { dueAt: 1 }, limit: lookedAt, projection: { createdAt: 1 } });
    const failed = await outbox.countDocuments({ state: "failed", ...of });
    const count = found.length < lookedAt ? found.length : await outbox.countDocuments(pending);
    return { pending: count, oldestSeconds: age(found.map(({ createdAt }) => createdAt)), failed };
  };
  const events = db.collection("repo_events");
  const uncommitted = await events.find({ state: "pending" }, { limit: lookedAt, projection: { at: 1 } });
  const count = uncommitted.length < lookedAt ? uncommitted.length : await events.countDocuments({ state: "pending" });
  return {
    emails: await waiting({ kind: { $in: [...emailKinds] } }),
    work: await waiting({ kind: { $nin: [...emailKinds] } }),
    repositories: { pending: count, oldestSeconds: age(uncommitted.map(({ at }) => at)) },
  };
}

/** The records of companies count what they hold. */
async function totalsOf({ db }: Services): Promise<typeof noTotals> {
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

async function freeShare(dir: string): Promise<number | null> {
  const disk = await statfs(dir).catch(() => null);
  return disk && disk.blocks > 0 ? disk.bavail / disk.blocks : null;
}

function mapOf<K extends string, V, R>(from: Record<K, V>, map: (value: V) => R): Record<K, R> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value as V)])) as Record<K, R>;
}

function keptFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: T } | null = null;
  return async () => {
    if (kept === null || performance.now() - kept.at > ms) kept = { at: performance.now(), value: await make() };
    return kept.value;
  };
}
