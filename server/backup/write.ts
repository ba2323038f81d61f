/** Writes a backup of the data as it is at one moment, while users continue to write. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { AppError } from "#core/errors.ts";
import { openBlobs } from "../blobs/open.ts";
import type { Config } from "../config.ts";
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import { latestSchema, migrations } from "../database/migration-list.ts";
import { loadCheckedMigrationRecords, isMigrationDone } from "../database/migrations.ts";
import type { Database, Store } from "../database/port.ts";
import { isOutOfSpaceError } from "../file-errors.ts";
import { isCounterFinding, loadKnownLossLookup, loadStoredLosses } from "../findings/known-losses.ts";
import { findMissingDocumentLines } from "../integrity/gaps.ts";
import type { Keyring } from "../keys/keyring.ts";
import { readDocumentsToSave } from "./documents.ts";
import {
  formatName,
  formatVersion,
  gzipLevel,
  BackupSummer,
  type BackupHeader,
  type SealedKeys,
  type BackupSummary,
} from "./format.ts";
import { refusals } from "./refusals.ts";

export interface WriteBackupOptions {
  db: Pick<Database<Collections>, "engine" | "snapshot">;
  config: Pick<Config, "assetStore" | "dataDir">;
  clock: Clock;
  keys: SealedKeys | null;
  /** The id of the installation to which the backup belongs. */
  owner?: string | null;
  /**
   * Gets a line for each unreadable document, which the backup leaves out, and for each file that differs from its
   * hash, which the backup includes unchanged.
   */
  missing?: string[];
  /**
   * Called with the path of the unfinished file, so that a caller who ends this thread or process can remove the file.
   */
  onDraft?: (draft: string) => void;
  /**
   * The keys that verify the records of known losses. With keys, the backup also names missing documents that other
   * documents refer to, except known losses.
   */
  keyring?: Pick<Keyring, "verifyKeys"> | null;
  /** Called often during the writing, as a sign of progress. */
  onProgress?: () => void;
}

export interface WrittenBackup {
  file: string;
  at: string;
  bytes: number;
  seconds: number;
  summary: BackupSummary;
  /** A line for each damaged or missing item. */
  missing: readonly string[];
}

/**
 * Writes the backup. After an error, leaves no file behind.
 * @throws AppError when the file exists or can't be written
 */
export async function writeBackup(file: string, options: WriteBackupOptions): Promise<WrittenBackup> {
  const started = performance.now();
  if (await stat(file).catch(() => null)) throw new AppError("conflict", refusals.fileExists({ file }));
  const draft = `${file}.part`;
  const at = options.clock.now();
  const { missing = [] } = options;
  try {
    const sum = new BackupSummer();
    options.onDraft?.(path.resolve(draft));
    await options.db.snapshot(async (moment) => {
      const lines = encodeBackupLines(moment, { at, sum, missing, options });
      const out = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
      await pipeline(Readable.from(lines), createGzip({ level: gzipLevel }), out);
    });
    await rename(draft, file);
    await syncFolderToDisk(path.dirname(file));
    const { size: bytes } = await stat(file);
    return { file, at, bytes, seconds: (performance.now() - started) / 1000, summary: sum.result(), missing };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new AppError("conflict", refusals.draftExists({ draft }));
    await rm(draft, { force: true }).catch(() => undefined);
    throw targetFailure(error, path.dirname(path.resolve(file)));
  }
}

const reasons: Partial<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "it is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
};

/** Translates errors of files. Returns errors of the database unchanged. */
function targetFailure(error: unknown, folder: string): unknown {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (isOutOfSpaceError(error)) return new AppError("storage_full", refusals.noSpace({ folder }));
  const reason = reasons[code];
  if (reason === undefined) return error;
  return new AppError("unavailable", refusals.unwritable({ folder, reason }));
}

async function* encodeBackupLines(
  moment: Store<Collections>,
  { at, sum, missing, options }: { at: string; sum: BackupSummer; missing: string[]; options: WriteBackupOptions },
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const encodeLines = (lines: readonly string[]): Buffer => {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    hash.update(bytes);
    return bytes;
  };
  const newest = (await loadCheckedMigrationRecords(moment, migrations, { readsOnly: true })).at(-1);
  // during a migration, documents have two forms, but the header names only one schema
  if (newest && !isMigrationDone(newest)) throw new AppError("conflict", refusals.betweenVersions());
  const losses = await loadStoredLosses(moment);
  const header: BackupHeader = {
    format: formatName,
    version: formatVersion,
    schema: newest?.number ?? 0,
    engine: options.db.engine,
    at,
    installation: options.owner ?? null,
    keys: options.keys,
    ...(losses !== null && { losses }),
  };
  yield encodeLines([JSON.stringify(header)]);
  const onFault = (fault: string) => void missing.push(fault);
  for await (const some of readDocumentsToSave(moment, await openBlobs(options.config, moment), onFault)) {
    for (const { name, document, text } of some) sum.add(name, document, text);
    options.onProgress?.();
    if (some.length > 0) yield encodeLines(some.map(({ name, text }) => `[${JSON.stringify(name)},${text}]`));
  }
  if (options.keyring && header.schema >= latestSchema) {
    const isKnown = await loadKnownLossLookup(moment, options.keyring);
    // damaged documents make counters wrong too, so name a wrong counter only if no document is damaged
    const isNamed = missing.length > 0;
    for (const line of await findMissingDocumentLines(moment, options.onProgress))
      if (!missing.includes(line) && isKnown(line) === null && !(isNamed && isCounterFinding(line))) missing.push(line);
  }
  const { documents, companies } = sum.result();
  yield Buffer.from(
    `${JSON.stringify({ end: { documents, companies, ...(missing.length > 0 && { missing }), sha256: hash.digest("hex") } })}\n`,
  );
}

async function syncFolderToDisk(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
