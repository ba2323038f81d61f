import type { Finding } from "#core/lint/finding.ts";

/**
 * Errors that a model can fix. `[confirm: …]` blanks don't count: they block publishing, but a proposal should have
 * them. The front matter doesn't count either, because the program writes it.
 */
export function fixableErrorsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ rule, severity }) => severity === "error" && rule !== "text/placeholder" && !rule.startsWith("meta/"),
  );
}
