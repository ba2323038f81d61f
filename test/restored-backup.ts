/** Restores a backup for tests, and finds differences and damage. */
import path from "node:path";
import { restoreCheckedBackup } from "../server/admin/restore.ts";
import { checkDataPart, parts } from "../server/admin/verify-parts.ts";
import { readConfig, type Config } from "../server/config.ts";
import { openDatabaseForReading } from "../server/open-for-reading.ts";
import { checkBackup } from "../server/backup/read.ts";
import { assertEmptyFolder, assertKeysFit } from "../server/backup/restore.ts";
import { openKeys } from "../server/backup/sealed-keys.ts";

export const passphrase = "a long walk home";

export function configOf(folder: string, name: string, env: Record<string, string> = {}): Config {
  return readConfig({ DATA_DIR: path.join(folder, name), LOG_LEVEL: "silent", ...env });
}

/** Restores like `sop admin restore`. */
export async function restoreInto(
  config: Config,
  file: string,
  secret: string | null = passphrase,
  { takesOver = false } = {},
): Promise<void> {
  assertEmptyFolder(config);
  const checked = await checkBackup(file);
  const sealed = secret === null ? null : checked.header.keys;
  const keys = sealed && (await openKeys(sealed, secret ?? ""));
  if (keys) assertKeysFit(config, keys);
  await restoreCheckedBackup({ config, file, checked, keys, takesOver });
}

/** Verifies like `sop admin verify --backup`. @returns the findings of all parts; empty if both are equal and intact */
export async function verifyAgainst(config: Config, file: string): Promise<string[]> {
  const db = await openDatabaseForReading(config);
  try {
    const findings: string[] = [];
    for (const part of [...parts, "backup"] as const) {
      const report = await checkDataPart(part, { config, db, options: { backup: file } });
      findings.push(...report.findings.map((finding) => `${part}: ${finding}`));
    }
    return findings;
  } finally {
    await db.close();
  }
}
