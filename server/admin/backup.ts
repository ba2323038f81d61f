/** `backup`: everything that is stored, as one file. Reads only, so it works beside a server. */
import { systemClock } from "#core/clock.ts";
import { makeBackup } from "../backup/make.ts";
import { readConfig } from "../config.ts";
import { assertDataFolder } from "./companies.ts";
import type { Output, OutputFlags } from "./output.ts";
import { newPassphrase } from "./passphrase.ts";

interface BackupOptions extends OutputFlags {
  target: string;
  withoutKeys?: boolean;
}

export async function backup(options: BackupOptions, output: Output): Promise<number> {
  const config = readConfig();
  await assertDataFolder(config);
  const passphrase = options.withoutKeys ? null : await newPassphrase(config, options);
  const made = await makeBackup({ config, clock: systemClock, target: options.target, passphrase });
  const { file, at, bytes, seconds, summary } = made;
  const documents = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
  output.data(file, { file, at, bytes, seconds, documents, keys: passphrase !== null, companies: summary.companies });
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  output.say(`${documents} documents of ${at}, ${size}, ${seconds.toFixed(1)} s`);
  output.say(
    passphrase === null
      ? "without the keys: keep a copy of them elsewhere"
      : "with the keys, which the passphrase encrypts",
  );
  return 0;
}
