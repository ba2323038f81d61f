/**
 * Makes a backup with the configured options and records it: for the operator's command and for the server's own
 * backups.
 */
import path from "node:path";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import { DataFolderError } from "../data-files.ts";
import { assertKeyring } from "../data-folder/installation.ts";
import { damagedDocumentText } from "../database/port.ts";
import { findMissingPages } from "../database/sqlite/first-page.ts";
import { withNames } from "../findings/names.ts";
import { DamagedKeysError } from "../keys/key-file.ts";
import { readKeyring, type Keyring } from "../keys/keyring.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { removeAbandonedDrafts, resolveBackupFile } from "./folder.ts";
import { isOnOtherDisk } from "./place.ts";
import { loadInstallationOfBackups, recordBackup } from "./last.ts";
import { readCurrentKeys, sealKeys } from "./sealed-keys.ts";
import { writeBackup, type WrittenBackup } from "./write.ts";

export interface MakeOptions {
  config: Config;
  clock: Clock;
  /** The path of the file, or of a folder in which the file is created. */
  target: string;
  /** The passphrase for the keys; null leaves the keys out. */
  passphrase: string | null;
  onDraft?: (draft: string) => void;
  onProgress?: () => void;
}

export interface MadeBackup extends WrittenBackup {
  /** The missing items as text, with the names of SOPs, users and companies. */
  named: readonly string[];
  /** The id of the installation to which the backup belongs. */
  owner: string | null;
  /** False if the backup has no keys. An installation that has encrypted nothing has no keys. */
  hasKeys: boolean;
  /**
   * Why the backup lacks keys that the database needs; null if the backup lacks none, or if the caller left the keys
   * out.
   */
  lostKeys: string | null;
  /** True if the record of the backup was stored. False if DATA_DIR can't be written. */
  isRemembered: boolean;
}

export async function makeBackup({ config, clock, target, passphrase, ...calls }: MakeOptions): Promise<MadeBackup> {
  const missing: string[] = [];
  const onDamage = (collection: string, id: string) => void missing.push(damagedDocumentText(collection, id));
  const db = await openDatabaseForReading(config, { older: true, onDamage });
  if (config.mongodbUri === null) missing.push(...findMissingPages(path.join(config.dataDir, "sopwright.db")));
  try {
    const own = passphrase === null ? [] : readCurrentKeys(config);
    const keys = own.length === 0 || passphrase === null ? null : await sealKeys(own, passphrase);
    const lostKeys = passphrase !== null && keys === null ? await findKeyringFault(db, config) : null;
    const owner = await loadInstallationOfBackups(db);
    const file = await resolveBackupFile(target, clock.now(), owner);
    if (owner !== null) await removeAbandonedDrafts(path.dirname(file), owner);
    const written = await writeBackup(file, {
      db,
      config,
      clock,
      keys,
      keyring: readKeyringForLosses(config),
      owner,
      missing,
      ...calls,
    });
    const { at, bytes, seconds, summary } = written;
    const isRemembered = await recordBackup(db, config, {
      at,
      bytes,
      seconds,
      file: path.resolve(file),
      hasKeys: keys !== null,
      damaged: missing.length,
      sops: summary.documents["sops"]?.count ?? 0,
      isApart: await isOnOtherDisk(config.dataDir, path.dirname(path.resolve(file))),
    });
    const named = await withNames(db, missing).catch(() => missing);
    return { ...written, named, owner, hasKeys: keys !== null, lostKeys, isRemembered };
  } finally {
    await db.close();
  }
}

/**
 * Reads the keyring that verifies records of known losses. If the file of keys is damaged, returns a keyring without
 * keys, so that no losses are known.
 */
function readKeyringForLosses(config: Config): Pick<Keyring, "verifyKeys"> {
  try {
    return readKeyring(config);
  } catch (error) {
    if (!(error instanceof DamagedKeysError)) throw error;
    return { verifyKeys: () => [] };
  }
}

async function findKeyringFault(...given: Parameters<typeof assertKeyring>): Promise<string | null> {
  try {
    await assertKeyring(...given);
    return null;
  } catch (error) {
    if (error instanceof DataFolderError) return error.message;
    throw error;
  }
}
