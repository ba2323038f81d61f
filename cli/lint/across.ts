/** Checks the files of a run against one another and against neighbors that they refer to. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { lintAcross, type AcrossOptions } from "#core/lint/across.ts";
import type { Finding } from "#core/lint/finding.ts";
import { rules } from "#core/lint/rules/index.ts";
import { findNeighbors } from "./neighbors.ts";
import { factsOfFile, type CrossFileFindings, type CacheForRoot, type LintedDocument } from "./linted.ts";
import type { LintRoot } from "./targets.ts";

export async function lintAcrossFiles(
  files: readonly LintedDocument[],
  caches: CacheForRoot,
): Promise<CrossFileFindings> {
  const found = new Map<LintedDocument, Finding[]>();
  for (const [root, group] of groupByRoot(files)) {
    const byPath = new Map(group.map((file) => [file.target.path, file]));
    const own = group.flatMap((file) => factsOfFile(file) ?? []);
    const around = await findNeighbors(root, own, byPath, caches(root));
    const findings = lintAcross([...own, ...around], (path) => byPath.get(path)?.config ?? rulesOff, {
      today: new Date().toISOString().slice(0, 10),
      exists: (path) => existsSync(join(root.folder, path)),
      // The search for neighbors covered the whole workspace, so a number that wasn't found is unknown.
      ...(root.kind === "workspace" && { sops: () => "unknown" as const }),
    });
    for (const [path, list] of findings) {
      const file = byPath.get(path);
      if (file !== undefined) found.set(file, list);
    }
  }
  return found;
}

/** The options for neighbors. Neighbors are read only to check the requested files, so all rules are off for them. */
const rulesOff: AcrossOptions = {
  preset: "minimal",
  rules: Object.fromEntries(rules.map(({ id }) => [id, "off"])),
};

function groupByRoot(files: readonly LintedDocument[]): Map<LintRoot, LintedDocument[]> {
  const folders = new Map<string, LintRoot>();
  const groups = new Map<LintRoot, LintedDocument[]>();
  for (const file of files) {
    const { root } = file.target;
    const key = folders.get(root.folder) ?? root;
    folders.set(root.folder, key);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return groups;
}
