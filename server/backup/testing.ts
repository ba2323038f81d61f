/** For tests: restores a backup, and says what differs or is damaged. */
import path from "node:path";
import { systemClock } from "#core/clock.ts";
import { checkPart, parts } from "../admin/verify-parts.ts";
import { readConfig, type Config } from "../config.ts";
import { migrations } from "../database/migration-list.ts";
import { openForReading } from "../open-for-reading.ts";
import { checkBackup } from "./read.ts";
import { assertEmptyFolder, assertKeysFit, restoreBackup } from "./restore.ts";
import { openKeys } from "./sealed-keys.ts";

export const passphrase = "a long walk home";

export function configOf(folder: string, name: string, env: Record<string, string> = {}): Config {
  return readConfig({ DATA_DIR: path.join(folder, name), LOG_LEVEL: "silent", ...env });
}

/** As `sop admin restore` does. */
export async function restoreInto(config: Config, file: string, secret: string | null = passphrase): Promise<void> {
  assertEmptyFolder(config);
  const checked = await checkBackup(file, migrations.length);
  const sealed = secret === null ? null : checked.header.keys;
  const keys = sealed && (await openKeys(sealed, secret ?? ""));
  if (keys) assertKeysFit(config, keys);
  await restoreBackup({ config, clock: systemClock, file, checked, keys });
}

/** As `sop admin verify --backup` does. @returns the findings of all parts, empty if both are equal and whole */
export async function verifyAgainst(config: Config, file: string): Promise<string[]> {
  const db = await openForReading(config);
  try {
    const findings: string[] = [];
    for (const part of [...parts, "backup"] as const) {
      const report = await checkPart(part, { config, db, options: { backup: file } });
      findings.push(...report.findings.map((finding) => `${part}: ${finding}`));
    }
    return findings;
  } finally {
    await db.close();
  }
}
