import { exit } from "../../exit.ts";
import { createCommaSeparator, type FileReport, type LintReport } from "./report.ts";

/** Prints the same JSON envelope as every command, with one file per line. */
export function jsonReport(): LintReport {
  const item = createCommaSeparator();
  return {
    begin: () => '{\n  "schema": "sop.lint/1",\n  "data": {\n    "files": [',
    file: (report) => item(`      ${JSON.stringify(fileReportJson(report))}`),
    end: ({ totals, exit: code, problems, leftOut }) =>
      `\n    ],\n    "totals": ${JSON.stringify(totals)},\n    "leftOut": ${JSON.stringify(leftOut)}\n  },\n` +
      `  "ok": ${code === exit.done},\n  "errors": ${JSON.stringify(problems)}\n}\n`,
  };
}

function fileReportJson({ shown, findings, fixed, accepted, diff }: FileReport) {
  return {
    path: shown,
    findings,
    ...(fixed > 0 && { fixed }),
    ...(accepted > 0 && { accepted }),
    ...(diff !== undefined && { diff }),
  };
}

/** Prints one finding per line as JSON. */
export function jsonLinesReport(): LintReport {
  return {
    file: ({ shown, findings }) =>
      findings.map((finding) => `${JSON.stringify({ path: shown, ...finding })}\n`).join(""),
  };
}
