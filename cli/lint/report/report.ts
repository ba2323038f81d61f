/**
 * The interface of report formats. A report is written piece by piece: a beginning, a piece for each file, and an end.
 */
import type { Finding, Severity } from "#core/lint/finding.ts";
import type { Problem } from "../../exit.ts";
import type { LeftOut } from "../../left-out.ts";
import type { CommandOutput } from "../../output.ts";

export interface FileReport {
  /** The path from the working folder. */
  shown: string;
  /** The path from the top of the repository, for formats that annotate files there. */
  inRepository: string;
  findings: readonly Finding[];
  /** Returns the file's text; read only if a format needs it. */
  text(): string;
  /** The number of findings that the baseline accepts. */
  accepted: number;
  fixed: number;
  diff?: string;
}

export type LintTotals = Record<Severity, number> & { files: number; fixed: number; accepted: number };

export interface ReportSummary {
  totals: LintTotals;
  exit: number;
  problems: readonly Problem[];
  leftOut: readonly LeftOut[];
}

export interface LintReport {
  begin?(): string;
  file(report: FileReport): string;
  end?(ending: ReportSummary): string;
}

export const formats = ["pretty", "compact", "json", "jsonl", "sarif", "junit", "github", "gitlab"] as const;
export type ReportFormat = (typeof formats)[number];

/** Loads only the requested format. */
export async function loadReport(format: ReportFormat, out: CommandOutput): Promise<LintReport> {
  switch (format) {
    case "pretty":
      return (await import("./pretty.ts")).prettyReport(out);
    case "compact":
      return (await import("./compact.ts")).compactReport();
    case "json":
      return (await import("./json.ts")).jsonReport();
    case "jsonl":
      return (await import("./json.ts")).jsonLinesReport();
    case "sarif":
      return (await import("./sarif.ts")).sarifReport();
    case "junit":
      return (await import("./junit.ts")).junitReport();
    case "github":
      return (await import("./github.ts")).githubReport();
    case "gitlab":
      return (await import("./gitlab.ts")).gitlabReport();
  }
}

/** Returns a function that puts commas between the items of a JSON array. */
export function createCommaSeparator(): (item: string) => string {
  let first = true;
  return (item) => {
    const before = first ? "\n" : ",\n";
    first = false;
    return before + item;
  };
}
