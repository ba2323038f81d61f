import type { PresetName } from "#core/lint/rule.ts";
import { invalidInputError } from "../exit.ts";
import type { ReportFormat } from "./report/report.ts";

export interface LintFlags {
  format?: ReportFormat;
  output?: string;
  fix?: boolean;
  unsafeFixes?: boolean;
  diff?: boolean;
  preset?: PresetName;
  rule?: string[];
  failOn: "error" | "warning" | "never";
  maxWarnings?: number;
  ext?: string[];
  changed?: string | true;
  stdinFilename?: string;
  cache: boolean;
  watch?: boolean;
  baseline?: string;
  updateBaseline?: boolean;
  listRules?: boolean;
  explain?: string;
}

/** @throws exit 2 if flags contradict one another */
export function assertCompatibleFlags(flags: LintFlags, paths: readonly string[], json: boolean): void {
  const usageError = (message: string, hint?: string) =>
    invalidInputError("usage", message, hint === undefined ? {} : { hint });
  const stdin = paths.includes("-");
  if (stdin && paths.length > 1) throw usageError("- reads stdin and can't be used with other paths");
  if (json && flags.format !== undefined && flags.format !== "json") {
    throw usageError(`--json and --format ${flags.format} ask for two formats: choose one`);
  }
  if (flags.updateBaseline && flags.baseline === undefined) {
    throw usageError("--update-baseline needs the file", "--baseline <file> --update-baseline");
  }
  if (stdin && flags.changed !== undefined) throw usageError("--changed can't be used with stdin");
  if (stdin && flags.baseline !== undefined) throw usageError("--baseline can't be used with stdin");
  if (flags.stdinFilename !== undefined && !stdin) throw usageError("--stdin-filename needs - for stdin", "sop lint -");
  const format = json ? "json" : (flags.format ?? "pretty");
  if (flags.diff && !["pretty", "json"].includes(format)) {
    throw usageError(`--diff prints differences, not ${format}: leave out --format, or use json`);
  }
  if (!flags.watch) return;
  if (stdin) throw usageError("--watch can't be used with stdin");
  if (flags.output !== undefined || flags.updateBaseline || flags.diff) {
    throw usageError("--watch only shows issues: leave out -o, --diff and --update-baseline");
  }
  if (!["pretty", "compact", "jsonl"].includes(format))
    throw usageError(`--watch can't print ${format}: use pretty, compact or jsonl`);
}
