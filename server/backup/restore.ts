/** Restores a backup into an empty installation, of either engine. */
import { existsSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { newId } from "#core/ids.ts";
import { AppError } from "#core/errors.ts";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import { assertRegularFiles } from "../data-files.ts";
import { restoringFolder } from "../data-folder/restoring.ts";
import { makeDataFolderPrivate, isOwnEntry } from "../data-folder/modes.ts";
import { declarations, shapelessDeclarations, type Collections } from "../database/documents.ts";
import { migrations } from "../database/migration-list.ts";
import { lockFolder } from "../database/sqlite/lock.ts";
import { DuplicateKeyError, type BaseDocument, type Collection, type Database } from "../database/port.ts";
import { openNewBlobs, recordStoreKind } from "../blobs/open.ts";
import type { Blobs, BlobKey } from "../blobs/port.ts";
import { keyFilePath, readKeyFile, storeKeysUnlessFileExists } from "../keys/key-file.ts";
import type { AppKey } from "../keys/key-list.ts";
import { pauseAllMirrors } from "../mirror/paused.ts";
import { summarizeDatabase } from "./documents.ts";
import { backupDifferences, documentFromJson, type CollectionName, type JsonDocument } from "./format.ts";
import { takenOverId } from "./last.ts";
import { readBackup, type CheckedBackup } from "./read.ts";
import { readCurrentKeys } from "./sealed-keys.ts";
import { refusals } from "./refusals.ts";

export interface RestoreOptions {
  config: Config;
  clock: Clock;
  file: string;
  checked: CheckedBackup;
  /** The keys of the backup. Null if the backup has no keys, or with `--without-keys`. */
  keys: readonly AppKey[] | null;
  /**
   * True if the restored installation replaces the one that made the backup: its mirrors stay on, and it owns that
   * installation's backups.
   */
  takesOver?: boolean;
  /**
   * The last step before a server can start on the data. `config` names the folder with the data, which is a temporary
   * folder until this step is done.
   */
  finish?: (db: Database<Collections>, config: Config) => Promise<void>;
}

const documentsAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;
const putsAtOnce = 10;
/** The entries that an empty data folder can have already. */
const allowedEntries = /^(keys|fonts|reserve|restoring|sopwright\.lock\b.*)$/;

/**
 * Checks that the data folder has no data. Call before data is written. Keys, fonts and files of an interrupted restore
 * are allowed.
 * @throws AppError conflict
 */
export function assertEmptyFolder({ dataDir, mongodbUri }: Config): void {
  assertRegularFiles(dataDir);
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  const found = names.filter((name) => isOwnEntry(name) && !allowedEntries.test(name));
  if (found.length > 0)
    throw new AppError(
      "conflict",
      refusals.folderInUse({
        dataDir,
        found: found.join(", "),
        beside: mongodbUri === null ? "" : ": beside MongoDB it is a cache",
      }),
    );
}

/** Checks that existing keys are those of the backup. @throws AppError conflict */
export function assertKeysFit(config: Config, keys: readonly AppKey[]): void {
  const here = readCurrentKeys(config);
  const kept = config.appKeys === null ? keyFilePath(config.dataDir) : "APP_KEYS";
  if (here.length === 0) return;
  const missing = keys.filter(({ id, secret }) => !here.some((one) => one.id === id && one.secret.equals(secret)));
  if (missing.length > 0)
    throw new AppError("conflict", refusals.missingKeys({ kept, missing: missing.map(({ id }) => id).join(", ") }));
}

/**
 * Restores the backup. After an error, no server can start on the installation.
 * @throws AppError, or DataFolderInUseError while another restore runs
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { config } = options;
  await makeDataFolderPrivate(config.dataDir);
  await (config.mongodbUri === null ? restoreSqlite(options) : restoreMongo(options, config.mongodbUri));
}

/** Stores the keys of the backup, unless APP_KEYS is set or the folder has keys already. */
function restoreKeys({ config, keys }: RestoreOptions, folder: string): void {
  if (keys !== null && config.appKeys === null && readKeyFile(keyFilePath(folder)).length === 0)
    storeKeysUnlessFileExists(keyFilePath(folder), keys);
}

/** Restores into a temporary folder, so that a server never starts on incomplete data. */
async function restoreSqlite(options: RestoreOptions): Promise<void> {
  const { config, finish } = options;
  const { dataDir } = config;
  const unlock = lockFolder(dataDir);
  const folder = restoringFolder(dataDir);
  try {
    assertEmptyFolder(config);
    rmSync(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    if (existsSync(keyFilePath(dataDir))) linkSync(keyFilePath(dataDir), keyFilePath(folder));
    else restoreKeys(options, folder);
    const { openSqlite } = await import("../database/sqlite/open.ts");
    const db = openSqlite<Collections>(folder, shapelessDeclarations, { migrations: migrationsUpToBackup(options) });
    try {
      await db.prepare();
      await insertAndCheckBackup(db, options);
      await finish?.(db, { ...config, dataDir: folder });
    } finally {
      await db.close();
    }
    // store the keys last, so that a failed restore leaves none: they wouldn't fit another backup
    if (existsSync(keyFilePath(folder)) && !existsSync(keyFilePath(dataDir)))
      linkSync(keyFilePath(folder), keyFilePath(dataDir));
    // closing the last connection has moved the write-ahead log into the file
    renameSync(path.join(folder, "sopwright.db"), path.join(dataDir, "sopwright.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

/** Restores into MongoDB. No server starts while the entry `restoring` exists. */
async function restoreMongo(options: RestoreOptions, uri: string): Promise<void> {
  const { openMongo } = await import("../database/mongodb/open.ts");
  const db = await openMongo<Collections>(uri, shapelessDeclarations, { migrations: migrationsUpToBackup(options) });
  try {
    await assertEmptyDatabase(db);
    await db.prepare();
    const system = db.collection("system");
    await system.insertOne({ _id: "restoring", value: options.file, at: options.clock.now() });
    restoreKeys(options, options.config.dataDir);
    await insertAndCheckBackup(db, options);
    await options.finish?.(db, options.config);
    await system.deleteOne({ _id: "restoring" });
  } finally {
    await db.close();
  }
}

async function assertEmptyDatabase(db: Database<Collections>): Promise<void> {
  if (await db.collection("system").findOne({ _id: "restoring" }))
    throw new AppError("conflict", refusals.unfinishedRestore());
  for (const name of Object.keys(declarations) as CollectionName[])
    if (await db.collection(name).findOne({})) throw new AppError("conflict", refusals.databaseInUse({ name }));
}

/** Returns the migrations up to the schema of the backup. The next start of the server runs the later ones. */
const migrationsUpToBackup = ({ checked }: RestoreOptions) =>
  migrations.filter(({ number }) => number <= checked.header.schema);

/** Inserts the documents of the backup, checks that they equal the backup, and gives the installation a new id. */
async function insertAndCheckBackup(db: Database<Collections>, options: RestoreOptions): Promise<void> {
  const { config, file, checked, clock, takesOver = false } = options;
  const installation = newId();
  const blobs = await openNewBlobs(config, db, installation);
  const page = { name: "companies" as CollectionName, documents: [] as JsonDocument[], bytes: 0 };
  const flushPage = async (): Promise<void> => {
    const documents = page.documents.splice(0);
    page.bytes = 0;
    if (documents.length > 0) await insertDocuments({ db, blobs }, page.name, documents);
  };
  for await (const { name, document, text } of readBackup(file)) {
    if (name !== page.name || page.documents.length >= documentsAtOnce || page.bytes >= bytesAtOnce) await flushPage();
    page.name = name;
    page.documents.push(document);
    page.bytes += text.length;
  }
  await flushPage();
  const [difference] = backupDifferences(checked.summary, await summarizeDatabase(db, blobs));
  if (difference !== undefined) throw new AppError("damaged", refusals.differs({ difference }));
  await recordStoreKind(db, config, clock);
  // a new id separates the data from folders of the old installation, whose repositories may have later commits
  const system = db.collection("system");
  await system.insertOne({ _id: "installation", value: installation, at: clock.now() });
  const { installation: before } = checked.header;
  if (!takesOver) await pauseAllMirrors(db, clock.now());
  else if (before) await system.insertOne({ _id: takenOverId, value: before, at: clock.now() });
}

interface RestoreTarget {
  db: Database<Collections>;
  blobs: Blobs;
}

async function insertDocuments(
  { db, blobs }: RestoreTarget,
  name: CollectionName,
  documents: JsonDocument[],
): Promise<void> {
  const { binary } = declarations[name];
  const rows = documents.map((document) => documentFromJson(document, binary));
  const stored = binary === undefined ? rows : await storeBytesOfDocuments(blobs, rows, binary);
  try {
    await db.transaction(async (tx) => {
      const collection = tx.collection(name) as unknown as Collection<BaseDocument>;
      await collection.insertMany(stored);
    });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    throw new AppError("damaged", refusals.sameIndex({ name, index: error.index }));
  }
}

/** Stores the bytes of files. @returns the documents without their bytes, to store next */
async function storeBytesOfDocuments(
  blobs: Blobs,
  rows: readonly JsonDocument[],
  binary: string,
): Promise<JsonDocument[]> {
  const stored: JsonDocument[] = [];
  for (let at = 0; at < rows.length; at += putsAtOnce) {
    const some = rows.slice(at, at + putsAtOnce).map(async ({ [binary]: bytes, ...row }) => {
      if (!(bytes instanceof Uint8Array)) return row as JsonDocument;
      return { ...row, ...(await blobs.put(row as unknown as BlobKey, bytes)) } as JsonDocument;
    });
    stored.push(...(await Promise.all(some)));
  }
  return stored;
}
