/**
 * Prevents mixing the data of different installations: a database, its files and its keys. Each installation has an id,
 * which the database and `DATA_DIR/installation` store. The database also stores fingerprints of the public keys.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import { DuplicateKeyError, type Database } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import { createKeyFileIfMissing, keyFilePath } from "../keys/key-file.ts";
import { hasKeys, readKeyring, type Keyring } from "../keys/keyring.ts";
import { keyIdOf } from "../keys/seal.ts";
import type { PublicKey } from "../keys/signing.ts";
import { DataFolderError } from "../data-files.ts";
import { isHalfRestored, restoringFolder } from "./restoring.ts";

type InstallationDatabase = Pick<Database<Collections>, "collection" | "engine">;
type InstallationConfig = Pick<Config, "appKeys" | "dataDir">;

const markerFile = (dataDir: string) => path.join(dataDir, "installation");
const wayOut =
  "Restore sopwright.db from a backup, or set MONGODB_URI if the data is there. Set DATA_DIR to an empty folder to begin a new installation";

/**
 * Checks that the embedded database exists if the folder has data. Call before opening it, because that would create a
 * missing database.
 * @throws DataFolderError
 */
export function assertDatabaseFile(dataDir: string): void {
  const found = statSync(path.join(dataDir, "sopwright.db"), { throwIfNoEntry: false });
  if (found !== undefined && found.size > 0) return;
  assertFolderRestored(dataDir);
  const beside = findInstallationFiles(dataDir);
  if (beside.length > 0) {
    const state = found === undefined ? "missing" : "empty";
    throw new DataFolderError(`${dataDir}: sopwright.db is ${state}, but there is ${beside.join(", ")}. ${wayOut}`);
  }
}

/** Checks that no restore into the folder is unfinished. @throws DataFolderError */
export function assertFolderRestored(dataDir: string): void {
  if (!isHalfRestored(dataDir)) return;
  throw new DataFolderError(
    `a restore into ${dataDir} did not end: run it again, or delete ${restoringFolder(dataDir)} to begin a new installation`,
  );
}

/** Checks that no restore into the database is unfinished. Call with MongoDB only. @throws DataFolderError */
export async function assertDatabaseRestored(db: InstallationDatabase): Promise<void> {
  if ((await db.collection("system").find({ _id: "restoring" }, { limit: 1 })).length === 0) return;
  throw new DataFolderError("the database is being restored. If that was stopped, drop the database and restore again");
}

function findInstallationFiles(dataDir: string): string[] {
  const names = namesInFolderSync(dataDir);
  const files = ["installation", "keys", "audit-checkpoints.ndjson"].filter((name) => names.includes(name));
  return hasRepositories(dataDir) ? [...files, "repositories"] : files;
}

function hasRepositories(dataDir: string): boolean {
  return namesInFolderSync(path.join(dataDir, "repositories")).some((name) => name.endsWith(".git"));
}

function namesInFolderSync(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/**
 * Checks that the database and the folder belong together, and gives a new installation its id. Call after the database
 * is prepared.
 * @throws DataFolderError when they belong to two installations
 */
export async function assertOrCreateInstallation(
  db: Database<Collections>,
  { dataDir }: Pick<Config, "dataDir">,
  clock: Clock,
): Promise<void> {
  const system = db.collection("system");
  await assertDatabaseRestored(db);
  const [stored, marker] = [
    (await system.findOne({ _id: "installation" }))?.value ?? null,
    readInstallationMarker(dataDir),
  ];
  const cache = db.engine === "mongodb" ? "Set DATA_DIR to another folder: beside MongoDB it is only a cache" : null;
  if (stored === null && (marker !== null || (cache === null && hasRepositories(dataDir)))) {
    const isEmpty = (await db.collection("companies").findOne({})) === null;
    if (isEmpty)
      throw new DataFolderError(`${dataDir}: the database is empty, but the folder is in use. ${cache ?? wayOut}`);
  }
  const isOwn = marker === null || stored === marker || isDamagedId(marker, stored);
  if (stored !== null && !isOwn) {
    const put = `Put back its own sopwright.db. If the database is the right one, delete installation, repositories and search there and put back its keys`;
    throw new DataFolderError(
      `${dataDir}: the database belongs to another installation than the folder. ${cache ?? put}`,
    );
  }
  const id = stored ?? (await storeInstallationId(db, readInstallationId(dataDir) ?? newId(), clock.now()));
  if (marker !== id) await writeFile(markerFile(dataDir), `${id}\n`, { mode: 0o600 });
}

const damagedCharactersAtMost = 4;

/**
 * Says whether the id in the file is damaged, as opposed to the id of another installation.
 * @returns true if the text can't be an id, or differs from `id` in few characters only
 */
function isDamagedId(marker: string, id: string | null): boolean {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(marker)) return true;
  return id !== null && [...marker].filter((one, at) => one !== id[at]).length <= damagedCharactersAtMost;
}

/**
 * Checks the id in the data folder for `sop admin verify`.
 * @returns a list with the finding; empty without a finding
 */
export async function findInstallationFault(db: InstallationDatabase, dataDir: string): Promise<string[]> {
  const marker = readInstallationMarker(dataDir);
  const [stored] = await db.collection("system").find({ _id: "installation" }, { limit: 1 });
  if (marker === null || stored === undefined || marker === stored.value) return [];
  return isDamagedId(marker, stored.value)
    ? ["the file installation of DATA_DIR is damaged. A start of the server writes it again"]
    : ["the file installation of DATA_DIR is of another installation than the database"];
}

/** Reads the id in the data folder. @returns null if the folder has no readable id */
export function readInstallationId(dataDir: string): string | null {
  const marker = readInstallationMarker(dataDir);
  return marker === null || isDamagedId(marker, null) ? null : marker;
}

function readInstallationMarker(dataDir: string): string | null {
  try {
    return readFileSync(markerFile(dataDir), "utf8").trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Stores the id of a new installation. @returns the stored id, which another server can have stored first */
async function storeInstallationId(db: Database<Collections>, id: string, at: string): Promise<string> {
  const system = db.collection("system");
  try {
    await system.insertOne({ _id: "installation", value: id, at });
    return id;
  } catch (error) {
    // another server that started at the same time has stored its id first
    if (error instanceof DuplicateKeyError) return (await system.findOne({ _id: "installation" }))?.value ?? id;
    throw error;
  }
}

/**
 * Opens the keyring that this database was used with, or creates one if the database has never needed keys. On MongoDB
 * without APP_KEYS, each server may have different keys.
 * @throws DataFolderError when the keys are lost or belong to another installation
 */
export async function openOwnKeyring(
  db: Database<Collections>,
  source: InstallationConfig,
  clock: Clock,
  log?: Pick<Logger, "warn">,
): Promise<Keyring> {
  await assertKeyring(db, source);
  if (!hasKeys(source)) createKeyFileIfMissing(keyFilePath(source.dataDir));
  const keys = readKeyring(source);
  if (db.engine === "mongodb" && !hasKnownKey(await loadKnownFingerprints(db), keys))
    log?.warn(
      { file: keyFilePath(source.dataDir) },
      "this server has keys of its own. Other servers can't read what it encrypts, and verify can't check it. Set APP_KEYS on all servers",
    );
  await recordKeys(db, keys, clock.now());
  return keys;
}

/** Checks that the keys belong to the database. Writes nothing. @throws DataFolderError */
export async function assertKeyring(db: InstallationDatabase, source: InstallationConfig): Promise<void> {
  const keys = readKeyring(source);
  const known = await loadKnownFingerprints(db);
  const file = keyFilePath(source.dataDir);
  const other = keys.verifyKeys().filter((key) => isOtherKey(known, key));
  if (other.length > 0)
    throw new DataFolderError(
      `${source.appKeys === null ? file : `APP_KEYS or ${file}`}: other values than this installation used for ${other.map(({ kid }) => kid).join(", ")}. ` +
        "Put them back, or leave these keys out. A new key needs a new name",
    );
  if (db.engine === "mongodb" && source.appKeys === null) return;
  if (known.size > 0 && hasKnownKey(known, keys)) return;
  if (db.engine === "mongodb" && known.size > 0)
    throw new DataFolderError(
      `APP_KEYS (${keys
        .verifyKeys()
        .map(({ kid }) => kid)
        .join(", ")}) holds none of the keys that this installation uses. ` +
        "Give this server the APP_KEYS of the others. " +
        "If the keys are lost for good, run `sop admin rotate-keys --lost`",
    );
  const needed = await loadNeededKeyIds(db);
  const isKnown = known.size === 0 && keys.verifyKeys().some(({ kid }) => needed.has(kid));
  if (needed.size === 0 || isKnown) return;
  const where = source.appKeys === null ? file : "APP_KEYS";
  const what = hasKeys(source) ? "holds other keys than those" : "is missing, and with it the keys";
  throw new DataFolderError(
    `${where} ${what} that the database was used with (${[...needed].join(", ")}). Restore it from its backup. ` +
      "If the keys are lost for good, run `sop admin rotate-keys --lost`",
  );
}

/**
 * Records these keys as keys of the database, in addition to the earlier keys. With `forget`, removes the earlier keys,
 * because the operator has lost them.
 */
export async function recordKeys(
  db: Pick<Database<Collections>, "collection">,
  keys: Keyring,
  at: string,
  { forget = false } = {},
): Promise<void> {
  const known = await loadKnownFingerprints(db);
  const now = fingerprintsOfKeyring(keys);
  if (!forget && now.every((one) => known.has(one))) return;
  const value = JSON.stringify([...new Set([...(forget ? [] : known), ...now])]);
  await db.collection("system").updateOne({ _id: "keyring" }, { $set: { value, at } }, { upsert: true });
}

/** Loads the fingerprints of the keys that the database was used with, with and without names. */
async function loadKnownFingerprints(db: Pick<Database<Collections>, "collection">): Promise<Set<string>> {
  const found = await db.collection("system").findOne({ _id: "keyring" });
  return new Set(found ? (JSON.parse(found.value) as string[]) : []);
}

/** Says whether the database was used with one of the keys, or with no key so far. */
function hasKnownKey(known: ReadonlySet<string>, keys: Keyring): boolean {
  return known.size === 0 || fingerprintsOfKeyring(keys).some((one) => known.has(one));
}

/** Says whether the database was used with another key of the same name. */
function isOtherKey(known: ReadonlySet<string>, key: PublicKey): boolean {
  return [...known].some((one) => one.startsWith(`${key.kid}:`)) && !known.has(namedFingerprint(key));
}

/**
 * Returns the fingerprints of the keys, with and without names. Earlier versions of the program compare those without
 * names.
 */
function fingerprintsOfKeyring(keys: Keyring): string[] {
  return keys.verifyKeys().flatMap((key) => [keyFingerprint(key), namedFingerprint(key)]);
}

function keyFingerprint({ publicKeyPem }: PublicKey): string {
  return sha256(publicKeyPem, "base64url");
}

const namedFingerprint = (key: PublicKey) => `${key.kid}:${keyFingerprint(key)}`;

/** Loads the ids of keys that encrypted or signed stored data, from a sample of the data. */
async function loadNeededKeyIds(db: Pick<Database<Collections>, "collection">): Promise<Set<string>> {
  const users = await db.collection("users").find({ openaiApiKey: { $gt: "" } }, { limit: 100 });
  const mirrors = await db.collection("mirrors").find({ token: { $gt: "" } }, { limit: 100 });
  const checkpoints = await db.collection("audit_checkpoints").find({}, { sort: { _id: -1 }, limit: 100 });
  const values = [...users.map(({ openaiApiKey }) => openaiApiKey ?? ""), ...mirrors.map(({ token }) => token)];
  const sealed = values.flatMap((value) => keyIdOf(value) ?? []);
  return new Set([...sealed, ...checkpoints.map(({ kid }) => kid)]);
}
