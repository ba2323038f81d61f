/**
 * Creates `/metrics` in Prometheus' format. Labels have few values: names of routes, queues, jobs and parts, never ids.
 */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ServerStatus } from "#core/status/schema.ts";
import type { AnsweredRequest } from "../http/request-id.ts";

export interface Metrics {
  /** Counts an answered request. */
  observe(request: AnsweredRequest): void;
  /** Returns all metrics as text. */
  text(): Promise<string>;
  contentType: string;
}

/** The limits of the histogram in seconds: the lowest is for a list from memory, the highest for a PDF. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const stateNumbers = { ok: 0, off: 0, unknown: 1, warning: 1, problem: 2 };

type MetricValues = readonly (readonly [value: number, labels?: Record<string, string>])[];

interface GaugeRow {
  name: string;
  help: string;
  labels?: readonly string[];
  /** The values; none while they are unknown, so that the metric is absent. */
  values(status: ServerStatus): MetricValues;
}

const valueIfKnown = (value: number | null | undefined): MetricValues =>
  value === null || value === undefined ? [] : [[value]];
/** Leaves out values that come from the database while it doesn't answer. */
const valuesIfKnown = (status: ServerStatus, values: MetricValues): MetricValues =>
  status.parts.some(({ state }) => state === "unknown") ? [] : values;
const outboxQueues = (status: ServerStatus) => [["emails", status.emails] as const, ["work", status.work] as const];

/** Every gauge of the server. The dashboard and the alerts in `deploy` use these names. */
export const gauges: readonly GaugeRow[] = [
  {
    name: "sopwright_info",
    help: "1, with the version and the engine",
    labels: ["version", "engine"],
    values: ({ version, engine }) => [[1, { version, engine }]],
  },
  {
    name: "sopwright_part_state",
    help: "A part of /readyz: 0 ok or off, 1 warning or unknown, 2 problem",
    labels: ["part"],
    values: ({ parts }) => parts.map(({ part, state }) => [stateNumbers[state], { part }]),
  },
  {
    name: "sopwright_queue_running",
    help: "Work that runs now, by shared resource",
    labels: ["queue"],
    values: ({ queues }) => queues.map(({ queue, running }) => [running, { queue }]),
  },
  {
    name: "sopwright_queue_waiting",
    help: "Work that waits for a place, by shared resource",
    labels: ["queue"],
    values: ({ queues }) => queues.map(({ queue, waiting }) => [waiting, { queue }]),
  },
  {
    name: "sopwright_database_running",
    help: "Operations that hold a connection to the database",
    values: ({ database }) => valueIfKnown(database.running),
  },
  {
    name: "sopwright_database_waiting",
    help: "Operations that wait for a connection to the database",
    values: ({ database }) => valueIfKnown(database.waiting),
  },
  {
    name: "sopwright_job_age_seconds",
    help: "Seconds since a background job last got on",
    labels: ["job"],
    values: ({ jobs }) => jobs.map(({ job, secondsAgo }) => [secondsAgo, { job }]),
  },
  {
    name: "sopwright_job_late",
    help: "1 for a background job that is overdue",
    labels: ["job"],
    values: ({ jobs }) => jobs.map(({ job, isLate }) => [Number(isLate), { job }]),
  },
  {
    name: "sopwright_outbox_pending",
    help: "Emails and other work that wait",
    labels: ["kind"],
    values: (status) =>
      valuesIfKnown(
        status,
        outboxQueues(status).map(([kind, { pending }]) => [pending, { kind }]),
      ),
  },
  {
    name: "sopwright_outbox_oldest_seconds",
    help: "Age of the oldest that waits; 0 if none does",
    labels: ["kind"],
    values: (status) =>
      valuesIfKnown(
        status,
        outboxQueues(status).map(([kind, { oldestSeconds }]) => [oldestSeconds ?? 0, { kind }]),
      ),
  },
  {
    name: "sopwright_outbox_failed",
    help: "Emails and other work that were given up",
    labels: ["kind"],
    values: (status) =>
      valuesIfKnown(
        status,
        outboxQueues(status).map(([kind, { failed }]) => [failed, { kind }]),
      ),
  },
  {
    name: "sopwright_repository_pending",
    help: "Changes that wait for their commit",
    values: (status) => valuesIfKnown(status, valueIfKnown(status.repositories.pending)),
  },
  {
    name: "sopwright_repository_lag_seconds",
    help: "Age of the oldest change that waits for its commit; 0 if none does",
    values: (status) => valuesIfKnown(status, valueIfKnown(status.repositories.oldestSeconds ?? 0)),
  },
  {
    name: "sopwright_search_open",
    help: "Open search indexes",
    values: ({ search }) => valueIfKnown(search.open),
  },
  {
    name: "sopwright_search_behind",
    help: "Companies whose search can't follow their changes",
    values: ({ search }) => valueIfKnown(search.behind),
  },
  {
    name: "sopwright_backup_age_seconds",
    help: "Age of the last backup; absent without one, and while its date lies in the future",
    values: ({ backup }) => valueIfKnown(backup && backup.ageSeconds < 0 ? null : backup?.ageSeconds),
  },
  {
    name: "sopwright_backup_bytes",
    help: "Size of the last backup",
    values: ({ backup }) => valueIfKnown(backup?.bytes),
  },
  {
    name: "sopwright_backup_seconds",
    help: "How long the last backup took",
    values: ({ backup }) => valueIfKnown(backup?.seconds),
  },
  {
    name: "sopwright_disk_free_ratio",
    help: "Free share of the disk of DATA_DIR",
    values: ({ diskFree }) => valueIfKnown(diskFree),
  },
  {
    name: "sopwright_companies",
    help: "Companies that are not deleted",
    values: (status) => valuesIfKnown(status, valueIfKnown(status.companies)),
  },
  {
    name: "sopwright_users",
    help: "Their users",
    values: (status) => valuesIfKnown(status, valueIfKnown(status.users)),
  },
  { name: "sopwright_sops", help: "Their SOPs", values: (status) => valuesIfKnown(status, valueIfKnown(status.sops)) },
  {
    name: "sopwright_asset_bytes",
    help: "Bytes of their images and PDFs",
    values: (status) => valuesIfKnown(status, valueIfKnown(status.assetBytes)),
  },
];

export function createMetrics(status: () => Promise<ServerStatus>): Metrics {
  const register = new Registry();
  // metrics of the process: memory, processor, event-loop delay, garbage collection
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: "sopwright_request_seconds",
    help: "Time until the answer begins, by method, route and status",
    labelNames: ["method", "route", "status"],
    buckets,
    registers: [register],
  });
  const shown = gauges.map(({ name, help, labels = [], values }) => {
    const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [register] });
    return { gauge, values, isPlain: labels.length === 0 };
  });
  return {
    contentType: register.contentType,
    observe({ method, route, status: code, seconds }) {
      requests.observe({ method: methods.has(method) ? method : "other", route, status: code }, seconds);
    },
    async text() {
      const now = await status();
      for (const { gauge, values, isPlain } of shown) {
        gauge.reset();
        // a gauge without labels is 0 after a reset
        const known = values(now);
        if (isPlain && known.length === 0) gauge.remove();
        for (const [value, labels = {}] of known) gauge.set(labels, value);
      }
      return register.metrics();
    },
  };
}
