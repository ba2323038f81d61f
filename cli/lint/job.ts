import { lintFile } from "#core/lint/engine.ts";
import type { CachedResult } from "./cache.ts";
import type { LintJob } from "./threads.ts";

/** Lints one file. Findings and facts are JSON text, as the cache stores them. */
export function runLintJob({ path, text, config, base }: LintJob): CachedResult {
  const { findings, facts } = lintFile(text, base === undefined ? { path, ...config } : { path, ...config, base });
  return { findings: JSON.stringify(findings), facts: JSON.stringify(facts) };
}
