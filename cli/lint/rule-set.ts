/** The version of the linter's own code. Cached findings depend on it, besides text and options. */
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Built files have content hashes in their names. Sources are identified by size and time. */
export function ruleSetHash(): string {
  const self = fileURLToPath(import.meta.url);
  const built = self.endsWith(".js");
  const folder = built ? dirname(self) : join(dirname(self), "../../core");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: !built, encoding: "utf8" }).sort()) {
    if (!/\.[jt]s$/.test(name)) continue;
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${name} ${size} ${built ? "" : mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}
