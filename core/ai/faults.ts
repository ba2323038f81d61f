import type { Finding } from "#core/lint/finding.ts";

/**
 * Errors a model can do something about. Blanks that say `[confirm: …]` are wanted of it: they keep a text from being published,
 * not from being proposed; and the head of the file is ours.
 */
export function faultsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ rule, severity }) => severity === "error" && rule !== "text/placeholder" && !rule.startsWith("meta/"),
  );
}
