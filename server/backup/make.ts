/** One backup from the settings to the record of it: for the operator's command and for the server's own backups. */
import { mkdir } from "node:fs/promises";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import { openForReading } from "../open-for-reading.ts";
import { targetOf } from "./folder.ts";
import { rememberBackup } from "./last.ts";
import { currentKeys, sealKeys } from "./sealed-keys.ts";
import { writeBackup, type Written } from "./write.ts";

export interface MakeOptions {
  config: Config;
  clock: Clock;
  /** A file, or a folder that gets a new one. */
  target: string;
  /** Null leaves the keys out. */
  passphrase: string | null;
  onProgress?: () => void;
}

export async function makeBackup({ config, clock, target, passphrase, onProgress }: MakeOptions): Promise<Written> {
  const db = await openForReading(config);
  try {
    const own = passphrase === null ? [] : currentKeys(config);
    const keys = own.length === 0 || passphrase === null ? null : await sealKeys(own, passphrase);
    const file = await targetOf(target, clock.now());
    const written = await writeBackup(file, { db, config, clock, keys, ...(onProgress ? { onProgress } : {}) });
    const { at, bytes, seconds } = written;
    await rememberBackup(db, config, { at, bytes, seconds, hasKeys: keys !== null });
    return written;
  } finally {
    await db.close();
  }
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}
