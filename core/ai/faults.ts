import type { Finding } from "#core/lint/finding.ts";

/**
 * Returns the errors that a model can fix. It leaves out `[confirm: …]` blanks, because only a person can fill them,
 * and the front matter, because the program writes it.
 */
export function fixableErrorsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ rule, severity }) => severity === "error" && rule !== "text/placeholder" && !rule.startsWith("meta/"),
  );
}
