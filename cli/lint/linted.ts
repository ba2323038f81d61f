import type { FileFacts } from "#core/lint/facts.ts";
import { byPlace } from "#core/lint/positions.ts";
import type { ServerOwned } from "#core/lint/rule.ts";
import type { Finding } from "#core/lint/finding.ts";
import type { LintConfig } from "../config/resolve.ts";
import type { Entry, LintCache } from "./cache.ts";
import type { Root, Target } from "./targets.ts";

/** What is known of one document; kept as JSON, since most of it is never looked at. */
export interface Linted {
  target: Target;
  config: LintConfig;
  base?: ServerOwned;
  /** Of the bytes that were linted; absent where they are no text. */
  sha256?: string;
  entry: Entry;
}

export type Caches = (root: Root) => LintCache;

/** What files are told by their neighbours. */
export type Across = ReadonlyMap<Linted, Finding[]>;

export function findingsOf(file: Linted, across: Across): Finding[] {
  const own = file.entry.findings === "[]" ? [] : (JSON.parse(file.entry.findings) as Finding[]);
  const more = across.get(file);
  return more === undefined ? own : [...own, ...more].sort(byPlace);
}

export function factsIn({ entry }: Linted): FileFacts | null {
  return JSON.parse(entry.facts) as FileFacts | null;
}
