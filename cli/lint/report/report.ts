/** The parts of every output format: an opening, a piece for each file, an end. Each piece is written at once. */
import type { Finding, Severity } from "#core/lint/finding.ts";
import type { Problem } from "../../exit.ts";
import type { LeftOut } from "../../left-out.ts";
import type { Output } from "../../output.ts";

export interface FileReport {
  /** Seen from the working folder. */
  shown: string;
  /** Seen from the top of the repository: what annotates files asks for that. */
  inRepository: string;
  findings: readonly Finding[];
  /** The file's lines, read when a format asks for them. */
  text(): string;
  /** Known to the baseline. */
  accepted: number;
  fixed: number;
  diff?: string;
}

export type Totals = Record<Severity, number> & { files: number; fixed: number; accepted: number };

export interface ReportSummary {
  totals: Totals;
  exit: number;
  problems: readonly Problem[];
  leftOut: readonly LeftOut[];
}

export interface Report {
  begin?(): string;
  file(report: FileReport): string;
  end?(ending: ReportSummary): string;
}

export const formats = ["pretty", "compact", "json", "jsonl", "sarif", "junit", "github", "gitlab"] as const;
export type Format = (typeof formats)[number];

/** Loads only the requested format. */
export async function openReport(format: Format, out: Output): Promise<Report> {
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

/** Items of a JSON array, one after the other. */
export function commaBetween(): (item: string) => string {
  let first = true;
  return (item) => {
    const before = first ? "\n" : ",\n";
    first = false;
    return before + item;
  };
}
