/**
 * `backup`: writes all stored data as one file. Only reads the data, so it can run while a server runs. Exits with 1 if
 * stored data is damaged, or if keys that the data needs are lost.
 */
import { rmSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { systemClock } from "#core/clock.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { makeBackup } from "../backup/make.ts";
import { readTaskConfig } from "../config.ts";
import { assertDataFolder } from "./companies.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { readNewPassphrase } from "./passphrase.ts";

const damagedExit = 1;

interface BackupCommandOptions extends OutputFlags {
  target: string;
  withoutKeys?: boolean;
}

export async function backupCommand(options: BackupCommandOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  const passphrase = options.withoutKeys ? null : await readNewPassphrase(config, options);
  const made = await makeBackup({
    config,
    clock: systemClock,
    target: options.target,
    passphrase,
    onDraft: removeDraftAtSignal,
  });
  const { file, at, bytes, seconds, summary, missing, named, hasKeys, lostKeys, isRemembered } = made;
  const ok = missing.length === 0 && lostKeys === null;
  const documents = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
  const told = { file, at, bytes, seconds, documents, keys: hasKeys, companies: summary.companies };
  output.data(file, { ...told, missing, ...(lostKeys !== null && { lostKeys }) }, ok);
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  output.say(`${countAndNoun(documents, "document")} of ${at}, ${size}, ${seconds.toFixed(1)} s`);
  output.say(
    passphrase === null
      ? "without the keys: keep a copy of them elsewhere"
      : hasKeys
        ? "with the keys, which the passphrase encrypts"
        : (lostKeys ?? "without keys: this installation has encrypted and signed nothing"),
  );
  if (!isRemembered)
    output.say("DATA_DIR can't be written, so a server without BACKUP_DIR doesn't know of this backup");
  if (missing.length > 0)
    output.say(
      [
        `damaged, and not in the backup or there as it is: ${missing.length}. Keep an earlier backup of these`,
        ...named.map((line) => `  ${line}`),
      ].join("\n"),
    );
  return ok ? 0 : damagedExit;
}

function removeDraftAtSignal(draft: string): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      rmSync(draft, { force: true });
      process.exit(128 + constants.signals[signal]);
    });
}
