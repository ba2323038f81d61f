/** The state of one server, for the people who run it. */
import { z } from "zod";
import { MirrorTrouble } from "../mirror/schema.ts";

/**
 * The parts of the server whose state is reported separately. `problem`: the server should get no requests. `warning`:
 * it works, but needs an operator.
 */
const partNames = [
  "database",
  "files",
  "address",
  "disk",
  "jobs",
  "emails",
  "repositories",
  "search",
  "mirrors",
  "stored data",
  "backups",
] as const;
const partStates = ["ok", "warning", "problem", "unknown", "off"] as const;

export const StatusPart = z.object({
  part: z.enum(partNames),
  state: z.enum(partStates),
  /** The state in one sentence. */
  text: z.string(),
});
export type StatusPart = z.output<typeof StatusPart>;

const Load = z.object({ running: z.int(), waiting: z.int() });
const Outbox = z.object({ pending: z.int(), oldestSeconds: z.number().nullable(), failed: z.int() });

export const ServerStatus = z
  .object({
    version: z.string(),
    engine: z.enum(["sqlite", "mongodb"]),
    /** The time of the report: ISO 8601. */
    at: z.string(),
    uptimeSeconds: z.number(),
    memoryBytes: z.int(),
    parts: z.array(StatusPart),
    /** Descriptions of damaged data, one line each. */
    damage: z.array(z.string()),
    /** Mirrors that stopped, fail or are paused. */
    mirrors: z.array(MirrorTrouble),
    queues: z.array(Load.extend({ queue: z.string() })),
    database: Load,
    jobs: z.array(z.object({ job: z.string(), secondsAgo: z.number(), isLate: z.boolean() })),
    emails: Outbox,
    work: Outbox,
    repositories: z.object({ pending: z.int(), oldestSeconds: z.number().nullable() }),
    search: z.object({ open: z.int(), behind: z.int() }),
    /** The latest backup; null before the first one. */
    backup: z
      .object({
        at: z.string(),
        /** The age of the backup; negative if its date is in the future. */
        ageSeconds: z.number(),
        bytes: z.int(),
        /** The duration of the backup; null if another program wrote it. */
        seconds: z.number().nullable(),
        hasKeys: z.boolean().nullable(),
        /** The number of documents and files that were damaged at that time. */
        damaged: z.int(),
      })
      .nullable(),
    /** The free share of the disk with DATA_DIR. */
    diskFree: z.number().nullable(),
    companies: z.int(),
    users: z.int(),
    sops: z.int(),
    assetBytes: z.int(),
  })
  .meta({ id: "ServerStatus" });
export type ServerStatus = z.output<typeof ServerStatus>;
