/** Finds the options that `sop.config.yaml` gives a document. */
import { createConfigFiles } from "../config/find.ts";
import { createConfigResolver, type LintConfig } from "../config/resolve.ts";

export type { LintConfig } from "../config/resolve.ts";

/**
 * @param named the absolute path of the `--config` file
 * @returns a function from a document's absolute path to its options
 */
export function createConfigFinder(
  named: string | undefined,
  flags: Partial<LintConfig> = {},
): (file: string) => Promise<LintConfig> {
  return createConfigResolver(createConfigFiles(named), flags);
}
