/** `restore`: a backup into an empty installation, on either engine. */
import { systemClock } from "#core/clock.ts";
import { checkBackup } from "../backup/read.ts";
import { assertEmptyFolder, assertKeysFit, restoreBackup } from "../backup/restore.ts";
import { currentKeys, openKeys } from "../backup/sealed-keys.ts";
import { readConfig } from "../config.ts";
import { migrations } from "../database/migration-list.ts";
import type { Output, OutputFlags } from "./output.ts";
import { knownPassphrase } from "./passphrase.ts";

interface RestoreOptions extends OutputFlags {
  file: string;
  withoutKeys?: boolean;
}

export async function restore(options: RestoreOptions, output: Output): Promise<number> {
  const config = readConfig();
  assertEmptyFolder(config);
  output.say(`checking ${options.file} …`);
  const checked = await checkBackup(options.file, migrations.length);
  const { header, summary } = checked;
  const sealed = options.withoutKeys ? null : header.keys;
  const keys = sealed && (await openKeys(sealed, await knownPassphrase(config, options)));
  if (keys) assertKeysFit(config, keys);
  output.say(`restoring what was stored at ${header.at} …`);
  await restoreBackup({ config, clock: systemClock, file: options.file, checked, keys });
  const documents = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
  output.data(`${documents} documents of ${header.at} are restored and equal to the backup`, {
    at: header.at,
    documents,
    companies: summary.companies,
    keys: keys !== null,
  });
  if (currentKeys(config).length === 0)
    output.say("there are no keys here: put them back before you start the server (docs/keys.md)");
  return 0;
}
