/** `restore`: restores a backup into an empty installation, on either engine. */
import { systemClock } from "#core/clock.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { checkBackup } from "../backup/read.ts";
import {
  assertEmptyFolder,
  assertKeysFit,
  restoreBackup,
  type RestoreOptions as RestoreAsk,
} from "../backup/restore.ts";
import { readCurrentKeys, openKeys } from "../backup/sealed-keys.ts";
import { readTaskConfig } from "../config.ts";
import { loadPausedMirrorIds } from "../mirror/paused.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { recordLosses, type RecordedLosses } from "./record-losses.ts";
import { readBackupPassphrase } from "./passphrase.ts";

interface RestoreCommandOptions extends OutputFlags {
  file: string;
  withoutKeys?: boolean;
  takesOver?: boolean;
}

export async function restoreCommand(options: RestoreCommandOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  assertEmptyFolder(config);
  output.say(`checking ${options.file} …`);
  const checked = await checkBackup(options.file);
  const { header, summary, missing } = checked;
  const sealed = options.withoutKeys ? null : header.keys;
  const keys = sealed && (await openKeys(sealed, await readBackupPassphrase(config, options)));
  // check the existing keys before any data is written, because the file of keys can be damaged
  assertKeysFit(config, keys ?? []);
  output.say(`restoring what was stored at ${header.at} …`);
  const { file, takesOver = false } = options;
  const { known, whyNotRecorded, mirrors } = await restoreCheckedBackup({ config, file, checked, keys, takesOver });
  const documents = Object.values(summary.documents).reduce((sum, { count }) => sum + count, 0);
  output.data(`${countAndNoun(documents, "document")} of ${header.at} restored, equal to the backup`, {
    at: header.at,
    documents,
    companies: summary.companies,
    keys: keys !== null,
    pausedMirrors: mirrors,
    missing,
    known,
  });
  if (mirrors > 0)
    output.say(`paused mirrors: ${mirrors}. An administrator of each company turns its mirror on (docs/backup.md)`);
  if (missing.length > 0)
    output.say(["damaged when the backup was made:", ...missing.map((line) => `  ${line}`)].join("\n"));
  if (known.length > 0)
    output.say(["known losses, which verify goes on to name:", ...known.map((line) => `  ${line}`)].join("\n"));
  if (whyNotRecorded !== null) output.say(whyNotRecorded);
  if (readCurrentKeys(config).length === 0)
    output.say(
      "there are no keys here. If the installation had some, put them back before you start the server (docs/security.md)",
    );
  return 0;
}

/** Restores a checked backup and records its losses. @returns the known losses, and the number of paused mirrors */
export async function restoreCheckedBackup(
  asked: Omit<RestoreAsk, "clock" | "finish">,
): Promise<RecordedLosses & { mirrors: number }> {
  const clock = systemClock;
  let restored = { known: [] as string[], whyNotRecorded: null as string | null, mirrors: 0 };
  await restoreBackup({
    ...asked,
    clock,
    async finish(db, config) {
      const losses = await recordLosses({ config, db, clock }, asked.checked);
      restored = { ...losses, mirrors: (await loadPausedMirrorIds(db)).size };
    },
  });
  return restored;
}
