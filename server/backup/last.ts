/**
 * Finds the last backup. With BACKUP_DIR, only the files in that folder count. Without BACKUP_DIR, the record of
 * backups counts. The record is a file in `DATA_DIR`, because `sop admin backup` can't write the embedded database
 * while a server runs.
 */
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { isUnwritableError } from "../file-errors.ts";
import { isFromFuture, listOwnBackups } from "./folder.ts";

const Remembered = z.object({
  at: z.string(),
  bytes: z.number(),
  /** The duration of the backup in seconds; null if unknown. */
  seconds: z.number().nullable(),
  hasKeys: z.boolean().nullable(),
  /** The number of documents and files that were damaged when the backup was made. */
  damaged: z.number().default(0),
  /** The number of SOPs in the backup; null if unknown. */
  sops: z.number().nullable().default(null),
  file: z.string().default(""),
  /** True if the backup was written to another disk than that of DATA_DIR. */
  isApart: z.boolean().default(false),
});
/** The last backups, newest first. An earlier version stored only one. */
const AllRemembered = z.union([z.array(Remembered), Remembered.transform((one) => [one])]);
export type LastBackup = z.output<typeof Remembered>;

type DataFolderSetting = Pick<Config, "dataDir">;
type BackupDatabase = Pick<Database<Collections>, "collection" | "engine">;

const id = "last-backup";
const rememberedAtMost = 10;
const lastBackupFile = ({ dataDir }: DataFolderSetting) => path.join(dataDir, id);

/**
 * Records the last backup.
 * @returns whether the record was stored: a backup must succeed even if the disk of DATA_DIR is full
 */
export async function recordBackup(
  db: BackupDatabase,
  where: DataFolderSetting,
  last: z.input<typeof Remembered>,
): Promise<boolean> {
  const others = (await loadRecordedBackups(db, where)).filter(({ file }) => file === "" || file !== last.file);
  const value = JSON.stringify([last, ...others].slice(0, rememberedAtMost));
  try {
    if (db.engine === "mongodb")
      await db.collection("system").updateOne({ _id: id }, { $set: { value, at: last.at } }, { upsert: true });
    else await replaceFile(lastBackupFile(where), `${value}\n`);
    return true;
  } catch (error) {
    if (isUnwritableError(error)) return false;
    throw error;
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.part`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Loads the recorded backups, newest first; none if the record can't be read. */
export async function loadRecordedBackups(db: BackupDatabase, where: DataFolderSetting): Promise<LastBackup[]> {
  const text =
    db.engine === "mongodb"
      ? (await db.collection("system").find({ _id: id }, { limit: 1 }))[0]?.value
      : await readFile(lastBackupFile(where), "utf8").catch(() => undefined);
  if (text === undefined) return [];
  try {
    return AllRemembered.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Finds the last backup. @param now the time in milliseconds @returns null if this installation has no backup */
export async function findLastBackup(
  db: BackupDatabase,
  config: Pick<Config, "dataDir" | "backup">,
  now: number,
): Promise<LastBackup | null> {
  const remembered = await loadRecordedBackups(db, config);
  const { dir } = config.backup;
  if (dir === null) return remembered[0] ?? null;
  const own = await listOwnBackups(dir, await loadInstallationOfBackups(db)).catch(() => []);
  const newest = own.findLast((one) => !isFromFuture(one, now)) ?? own.at(-1);
  if (newest === undefined) return null;
  const file = path.join(dir, newest.name);
  const found = await stat(file).catch(() => null);
  const known = remembered.find((one) => path.basename(one.file) === newest.name);
  const unknown = { seconds: null, hasKeys: null, damaged: 0, sops: null, isApart: false };
  return { ...unknown, ...known, at: known?.at ?? newest.at, bytes: found?.size ?? known?.bytes ?? 0, file };
}

/**
 * Loads the id of the installation whose backups this one owns and may delete. A restored copy has an id of its own, so
 * it deletes no backups of the original, unless it has replaced the original.
 */
export async function loadInstallationOfBackups({
  collection,
}: Pick<BackupDatabase, "collection">): Promise<string | null> {
  const system = collection("system");
  // `find` leaves out a damaged entry, where `findOne` would throw and stop the backup
  const found = await system.find({ _id: { $in: [takenOverId, "installation"] } });
  const valueOf = (one: string) => found.find(({ _id }) => _id === one)?.value;
  return valueOf(takenOverId) ?? valueOf("installation") ?? null;
}

/** The id of the entry in `system` with the id of the installation that this one replaced. */
export const takenOverId = "backups-of";
