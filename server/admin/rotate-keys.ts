/**
 * `rotate-keys`: adds a new first key and re-encrypts all stored AI keys and tokens with it. If a server runs, that
 * server re-encrypts them.
 */
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { readTaskConfig, type Config } from "../config.ts";
import { assertKeyring, recordKeys } from "../data-folder/installation.ts";
import { DataFolderInUseError } from "../database/sqlite/lock.ts";
import { createKeysCheck } from "../integrity/keys.ts";
import { checkAllShares } from "../integrity/report.ts";
import { addFirstKey, keyFilePath } from "../keys/key-file.ts";
import { openOrCreateKeyring, type Keyring } from "../keys/keyring.ts";
import { rememberLostKeys, findUsedKeyIds } from "../keys/lost-keys.ts";
import { countOlderValues, resealOlderValues, type ReencryptionResult } from "../integrity/reseal.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { assertDataFolder } from "./companies.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { refusals } from "./refusals.ts";

/**
 * The maximum milliseconds to wait until a running server has re-encrypted the values. The server reads its keys every
 * few seconds.
 */
const patienceMs = 60_000;
const lookEveryMs = 500;
const unreadableExit = 1;

interface RotateOptions extends OutputFlags {
  lost?: boolean;
}

export async function rotateKeysCommand(options: RotateOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  if (options.lost) return replaceLostKeys(config, output);
  await assertKeysOfDatabase(config);
  const keys = openOrCreateKeyring(config);
  // with APP_KEYS, the operator puts the new key first; this command only adds keys to the file of generated keys
  if (config.appKeys === null) addFirstKey(keyFilePath(config.dataDir));
  const sealed = await reencryptOrWaitForServer(config, keys, output);
  const { kid } = keys.signing();
  output.data(
    [
      `key ${kid} seals and signs from now on`,
      sealed === null
        ? "the running server has sealed every stored key and token with it"
        : `${sealed.resealed} stored keys and tokens sealed with it, ${sealed.current} were already`,
      ...(sealed?.unreadable ?? []).map(
        ({ value, kid: old }) => `  ${value}: the key ${old ?? "?"} is not in the ring`,
      ),
    ].join("\n"),
    { kid, verifyKeys: keys.verifyKeys(), ...(sealed ?? { byServer: true }) },
    (sealed?.unreadable.length ?? 0) === 0,
  );
  return sealed && sealed.unreadable.length > 0 ? unreadableExit : 0;
}

async function assertKeysOfDatabase(config: Config): Promise<void> {
  const db = await openDatabaseForReading(config);
  try {
    await assertKeyring(db, config);
  } finally {
    await db.close();
  }
}

/**
 * Continues without the lost keys: users must enter the encrypted values again, and signatures of lost keys can't be
 * verified.
 */
async function replaceLostKeys(config: Config, output: AdminOutput): Promise<number> {
  const db = await openDatabaseForTask(config);
  try {
    const keys = openOrCreateKeyring(config);
    await recordKeys(db, keys, systemClock.now(), { forget: true });
    const { findings } = await checkAllShares(createKeysCheck(db, keys));
    const hasKey = (one: string) => keys.verifyKeys().some(({ kid: id }) => id === one);
    const lost = [...(await findUsedKeyIds(db))].filter((one) => !hasKey(one));
    await rememberLostKeys(db, lost, systemClock.now());
    const { kid } = keys.signing();
    const lines = [
      `key ${kid} encrypts and signs from now on`,
      `${findings.length} stored keys and tokens can't be opened: their users must enter them again`,
      "audit checkpoints that the lost keys signed can't be verified",
    ];
    output.data(lines.join("\n"), { kid, verifyKeys: keys.verifyKeys(), unreadable: findings.length });
    return 0;
  } finally {
    await db.close();
  }
}

async function reencryptOrWaitForServer(
  config: Config,
  keys: Keyring,
  output: AdminOutput,
): Promise<ReencryptionResult | null> {
  try {
    return await reencryptStored(config, keys);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    output.say(`the server (${error.holder}) encrypts the stored keys …`);
    await waitForReencryptionByServer(config, keys);
    return null;
  }
}

async function reencryptStored(config: Config, keys: Keyring): Promise<ReencryptionResult> {
  const db = await openDatabaseForTask(config);
  try {
    return await resealOlderValues(db, keys, systemClock);
  } finally {
    await db.close();
  }
}

/**
 * Waits until the running server has re-encrypted all values. Only that server can write the embedded database, so this
 * function reads the database until no value has an old key.
 * @throws AppError busy when the server takes too long
 */
async function waitForReencryptionByServer(config: Config, keys: Keyring): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const db = await openDatabaseForReading(config);
    try {
      if ((await countOlderValues(db, keys.firstId())) === 0) return;
    } finally {
      await db.close();
    }
    if (performance.now() > until) {
      throw new AppError("busy", refusals.oldKeyInUse());
    }
    await wait(lookEveryMs);
  }
}
