import { sha256Of } from "../hashing.ts";
import type { Finding } from "#core/lint/finding.ts";

/**
 * Returns a function that identifies a finding even after lines above it change: by the rule, the words of the line,
 * and the number of equal findings before it.
 */
export function createFingerprinter(text: string, path: string): (finding: Finding) => string {
  const lines = text.split(/\r\n|\n|\r/);
  const seen = new Map<string, number>();
  return ({ rule, line }) => {
    const words = (lines[line - 1] ?? "").replace(/\s+/g, " ").trim();
    const base = `${path}\n${rule}\n${words}`;
    const before = seen.get(base) ?? 0;
    seen.set(base, before + 1);
    return sha256Of(`${base}\n${before}`).slice(0, 32);
  };
}
