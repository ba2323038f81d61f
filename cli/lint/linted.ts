import type { FileFacts } from "#core/lint/facts.ts";
import { compareFindingPositions } from "#core/lint/positions.ts";
import type { ServerOwned } from "#core/lint/rule.ts";
import type { Finding } from "#core/lint/finding.ts";
import type { LintConfig } from "../config/resolve.ts";
import type { CachedResult, LintCache } from "./cache.ts";
import type { LintRoot, LintTarget } from "./targets.ts";

/** The lint result for one document. `entry` stays JSON text, because most results are never read. */
export interface LintedDocument {
  target: LintTarget;
  config: LintConfig;
  /** The last pulled number, id and version; absent outside a workspace and for documents that were never pulled. */
  base?: ServerOwned;
  /** The SHA-256 of the linted bytes; absent if they aren't text. */
  sha256?: string;
  entry: CachedResult;
}

export type CacheForRoot = (root: LintRoot) => LintCache;

/** Findings in a file that come from other files. */
export type CrossFileFindings = ReadonlyMap<LintedDocument, Finding[]>;

export function findingsOfFile(file: LintedDocument, across: CrossFileFindings): Finding[] {
  const own = file.entry.findings === "[]" ? [] : (JSON.parse(file.entry.findings) as Finding[]);
  const more = across.get(file);
  return more === undefined ? own : [...own, ...more].sort(compareFindingPositions);
}

export function factsOfFile({ entry }: LintedDocument): FileFacts | null {
  return JSON.parse(entry.facts) as FileFacts | null;
}
