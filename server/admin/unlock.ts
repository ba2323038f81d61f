/**
 * `unlock`: deletes the counts of wrong passwords, so that users can sign in at once. With the embedded database, it
 * asks the running server to do that.
 */
import type { z } from "zod";
import { systemClock } from "#core/clock.ts";
import { AppError, isErrorCode, type ErrorBody } from "#core/errors.ts";
import { readTaskConfig, type Config } from "../config.ts";
import { DataFolderInUseError, readServerAddress } from "../database/sqlite/lock.ts";
import { readKeyring } from "../keys/keyring.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { UnlockTarget, unlockAndRecord as unlockStored, unlockPath } from "../sign-in/unlock.ts";
import { createOperatorProof } from "../status/operator-proof.ts";
import { assertDataFolder } from "./companies.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { localServerAddress } from "./status.ts";
import { refusals } from "./refusals.ts";

interface UnlockOptions extends OutputFlags {
  username?: string;
  address?: string;
  all?: boolean;
}

const patienceMs = 10_000;

export async function unlockCommand({ username, address, all }: UnlockOptions, output: AdminOutput): Promise<number> {
  const chosen = [
    ...(username === undefined ? [] : [{ username: username.trim().toLowerCase() }]),
    ...(address === undefined ? [] : [{ address }]),
    ...(all ? [{ everybody: "1" }] : []),
  ];
  if (chosen.length !== 1) throw new AppError("invalid_input", refusals.userNeeded());
  const locked = UnlockTarget.safeParse(chosen[0]);
  if (!locked.success) throw new AppError("invalid_input", refusals.noAddress({ address: address ?? "" }));
  const config = readTaskConfig();
  await assertDataFolder(config);
  const count = await unlockInDatabase(config, locked.data).catch((error: unknown) => {
    if (error instanceof DataFolderInUseError) return unlockThroughServer(config, locked.data);
    throw error;
  });
  const [who] = [username, address && `users at ${address}`, "all users"].filter((one) => one !== undefined);
  output.data(`${who} can sign in: counters of wrong passwords removed: ${count}`, { unlocked: count });
  return 0;
}

async function unlockInDatabase(config: Config, locked: z.output<typeof UnlockTarget>): Promise<number> {
  const db = await openDatabaseForTask(config);
  try {
    return await unlockStored({ db, clock: systemClock }, locked);
  } finally {
    await db.close();
  }
}

async function unlockThroughServer(config: Config, locked: z.output<typeof UnlockTarget>): Promise<number> {
  const url = new URL(unlockPath, readServerAddress(config.dataDir) ?? localServerAddress(config));
  url.search = new URLSearchParams(locked).toString();
  const proof = createOperatorProof(readKeyring(config), "unlock", Math.floor(Date.now() / 1000));
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${proof}` },
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: unknown) => {
    throw new AppError("busy", refusals.noAnswer({ origin: url.origin }), {
      cause: error,
    });
  });
  const said = (await answer.json()) as { unlocked: number } | ErrorBody;
  if ("unlocked" in said) return said.unlocked;
  throw isErrorCode(said.code) ? AppError.from(said) : new AppError("internal");
}
