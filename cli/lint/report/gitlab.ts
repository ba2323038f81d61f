import { createFingerprinter } from "../fingerprint.ts";
import { createCommaSeparator, type LintReport } from "./report.ts";

const severities = { error: "major", warning: "minor", info: "info" } as const;

/** Prints a Code Quality report for GitLab: an array of issues, each with its own fingerprint. */
export function gitlabReport(): LintReport {
  const item = createCommaSeparator();
  return {
    begin: () => "[",
    file: ({ inRepository, findings, text }) => {
      if (findings.length === 0) return "";
      const print = createFingerprinter(text(), inRepository);
      return findings
        .map((finding) =>
          item(
            JSON.stringify({
              description: finding.message,
              check_name: finding.rule,
              fingerprint: print(finding),
              severity: severities[finding.severity],
              location: { path: inRepository, lines: { begin: finding.line, end: finding.endLine } },
            }),
          ),
        )
        .join("");
    },
    end: () => "\n]\n",
  };
}
