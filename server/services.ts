/** Opens all services of a server in order, and closes them in reverse. The admin program uses it too. */
import { rm } from "node:fs/promises";
import path from "node:path";
import pino, { type Logger } from "pino";
import { systemClock, type Clock } from "#core/clock.ts";
import { openBlobs, recordStoreKind } from "./blobs/open.ts";
import { closeShares, createShares } from "./capacity/resources.ts";
import { createPasswords } from "./sign-in/passwords.ts";
import { createCompanyCache } from "./companies/cache.ts";
import type { Config } from "./config.ts";
import { assertRegularFiles, schemaCopyWarning } from "./data-files.ts";
import { assertDatabaseFile, assertOrCreateInstallation, openOwnKeyring } from "./data-folder/installation.ts";
import { makeDataFolderPrivate, foreignOwnerWarning, type ForeignEntries } from "./data-folder/modes.ts";
import { createSpace } from "./data-folder/space.ts";
import { declarations, type Collections } from "./database/documents.ts";
import { migrations } from "./database/migration-list.ts";
import { lockFolder } from "./database/sqlite/lock.ts";
import { damagedDocumentText, lostCollectionText, type Database, type QueryRecord } from "./database/port.ts";
import { createEventHub } from "./events/hub.ts";
import { createPrinter } from "./export/printer.ts";
import { isUnwritableError } from "./file-errors.ts";
import type { Services } from "./http/services.ts";
import { createSessionStore } from "./http/session-store.ts";
import { createFoundDamage, type FoundDamage } from "./integrity/found-damage.ts";
import { withVerifiedTexts } from "./integrity/whole-texts.ts";
import { redactionOptions } from "./log-redaction.ts";
import { paths } from "./paths.ts";
import { createRenderPool } from "./render/pool.ts";
import { createDatabaseLedger } from "./repository/database-ledger.ts";
import { createRepositories } from "./repository/repositories.ts";
import { createSnapshots } from "./snapshots/store.ts";
import { findFolderFault } from "./status/places.ts";
import { createSearchIndexes } from "./search/indexes.ts";
import { createMissedSearches } from "./suggestions/missed-searches.ts";
import { loadTemplates } from "./templates/library.ts";

export interface OpenServicesOptions {
  config: Config;
  clock?: Clock;
  log?: Logger;
  /** An open database to use instead of the configured one. Tests use it to count and to slow commands. */
  db?: Database<Collections>;
  /** Called with every query of the embedded engine. A test uses it to find full scans. */
  onQuery?: (record: QueryRecord) => void;
  /** Awaited before the first change of stored data, such as a migration. */
  beforeChanges?: () => Promise<void>;
  /** Called with each audit checkpoint, as a line to store elsewhere. */
  announce?: (line: string) => void;
  /** The size in bytes of the reserve file for a full disk; absent for the usual size. */
  reserveBytes?: number;
}

export interface OpenServices extends Services {
  close(): Promise<void>;
}

/** Milliseconds after which servers of the previous version have stopped, because they watch the migrations. */
const settleMs = 5_000;

/** The time for which a warning about a repair is shown, so that an operator sees it. */
const repairShownMs = 24 * 3_600_000;

interface DatabaseOptions {
  onQuery?: OpenServicesOptions["onQuery"];
  log?: Logger;
  damage?: Pick<FoundDamage, "note">;
  /** Says when the warning about a repair ends. */
  clock?: Clock;
  /** Called with the entries of DATA_DIR that this user can't use. */
  onFolder?: (ofOthers: ForeignEntries | null) => void;
  /** Called when a write of the embedded engine finds no space. @returns whether it freed some space */
  makeSpace?: () => boolean;
}

export async function openDatabase(
  config: Config,
  { onQuery, log, damage, clock = systemClock, onFolder, makeSpace }: DatabaseOptions = {},
): Promise<Database<Collections>> {
  assertRegularFiles(config.dataDir);
  const onDamage = (collection: string, id: string) => damage?.note(damagedDocumentText(collection, id));
  if (config.mongodbUri !== null) {
    const { openMongo } = await import("./database/mongodb/open.ts");
    const logAvailability = (answers: boolean) =>
      answers ? log?.info("the database answers again") : log?.error("the database does not answer");
    return openMongo<Collections>(config.mongodbUri, declarations, {
      migrations,
      report: logAvailability,
      settleMs,
      followsSchema: true,
      onDamage,
    });
  }
  assertDatabaseFile(config.dataDir);
  onFolder?.(await makeDataFolderPrivate(config.dataDir, log));
  const { openSqlite } = await import("./database/sqlite/open.ts");
  return openSqlite<Collections>(config.dataDir, declarations, {
    migrations,
    followsSchema: true,
    ...(onQuery ? { onQuery } : {}),
    ...(makeSpace ? { makeSpace } : {}),
    onDamage,
    onDropped: (changes) =>
      damage?.note(
        `the write-ahead log: its end is damaged, so the last changes before this start can be lost (${changes}). Ask people to check what they saved last`,
      ),
    onLost: (collection) => damage?.note(lostCollectionText(collection)),
    onRepair(what, isMade) {
      const repairedAt = clock.millis();
      if (isMade)
        damage?.note(
          `${what}: it was damaged, and is made again`,
          async () => clock.millis() - repairedAt < repairShownMs,
        );
      else damage?.note(`${what}: it is damaged, so changes can fail. Make a backup and restore it`);
    },
  });
}

export async function openServices({
  config,
  clock = systemClock,
  log,
  db: given,
  onQuery,
  beforeChanges,
  reserveBytes,
}: OpenServicesOptions): Promise<OpenServices> {
  const logger = log ?? createLog(config);
  const damage = createFoundDamage(logger);
  let ofOthers: ForeignEntries | null = null;
  const onFolder = (found: ForeignEntries | null) => void (ofOthers = found);
  const isEmbedded = config.mongodbUri === null;
  const space = createSpace(config.dataDir, logger, { isEmbedded, atMost: reserveBytes });
  const makeSpace = () => space.release();
  const opened = given ?? (await openDatabase(config, { onQuery, log: logger, damage, clock, onFolder, makeSpace }));
  const db = withVerifiedTexts(opened, damage);
  let unlockFolder = () => undefined as void;
  try {
    await beforeChanges?.();
    // the embedded engine closed and locked the folder before it created its first file
    if (!isEmbedded) {
      onFolder(await makeDataFolderPrivate(config.dataDir, logger));
      unlockFolder = lockCacheFolders(config.dataDir);
    }
    await db.prepare((migration) => logger.info(migration, "brought stored data up to date"));
    // this check needs the open database: keys without a database belong to a lost installation
    await assertOrCreateInstallation(db, config, clock);
    const blobs = await openBlobs(config, db, logger);
    await recordStoreKind(db, config, clock);
    const keys = await openOwnKeyring(db, config, clock, logger);
    const shares = createShares();
    const render = createRenderPool();
    const printer = createPrinter({
      fonts: [config.fontsDir],
      onUnscaled: (reason) =>
        logger.warn({ reason }, "images can't be scaled down for print on this machine: large ones may be refused"),
    });
    // with the embedded engine, there is only one server, so no other server needs snapshots
    const snapshots = db.engine === "mongodb" ? createSnapshots({ db, blobs, log: logger, clock }) : null;
    const repositories = createRepositories({
      dir: path.join(config.dataDir, "repositories"),
      ledger: createDatabaseLedger(db, blobs),
      log: logger,
      onDamage: (what, isStill) => damage.note(what, isStill),
      snapshots,
    });
    const events = createEventHub(db, clock, logger, keys);
    const companies = createCompanyCache(db, damage);
    const search = createSearchIndexes({ dir: await prepareSearchFolder(config.dataDir), db, log: logger, snapshots });
    const missed = createMissedSearches(db, clock, logger);
    return {
      config,
      clock,
      log: logger,
      db,
      blobs,
      shares,
      render,
      printer,
      repositories,
      snapshots,
      space,
      sessions: createSessionStore(db),
      events,
      search,
      missed,
      companies,
      damage,
      folderWarning: () => foreignOwnerWarning(ofOthers) ?? schemaCopyWarning(config.dataDir),
      passwords: createPasswords(config, shares.passwords),
      keys,
      templates: await loadTemplates(paths.templates),
      address: { url: config.publicUrl ?? "" },
      async close() {
        closeShares(shares);
        events.close();
        companies.close();
        await missed.close();
        await search.close();
        await repositories.close();
        await Promise.all([render.close(), printer.close()]);
        await space.close();
        await db.close();
        unlockFolder();
      },
    };
  } catch (error) {
    unlockFolder();
    await db.close();
    throw error;
  }
}

/** Creates the log, which writes JSON lines to stderr, because stdout is for the results of commands. */
export function createLog(config: Pick<Config, "logLevel">): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      ...redactionOptions,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 1000 }),
  );
}

/**
 * Returns the folder of search indexes: `search`, or `search-own` if this user can't use `search`. Removes a
 * `search-own` that is no longer needed.
 */
async function prepareSearchFolder(dataDir: string): Promise<string> {
  const own = path.join(dataDir, "search-own");
  if ((await findFolderFault(dataDir, "search")) !== null) return own;
  await rm(own, { recursive: true, force: true });
  return path.join(dataDir, "search");
}

/**
 * Locks the data folder of a server on MongoDB, because a start empties folders of caches that another server may use.
 * If this user can't write the folder, no lock is needed.
 * @returns a function that releases the lock
 * @throws DataFolderInUseError
 */
function lockCacheFolders(dataDir: string): () => void {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (isUnwritableError(error)) return () => undefined;
    throw error;
  }
}
