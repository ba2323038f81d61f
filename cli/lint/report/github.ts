import type { LintReport } from "./report.ts";

const levels = { error: "error", warning: "warning", info: "notice" } as const;

/** Prints workflow commands, which GitHub shows beside the lines of a pull request. */
export function githubReport(): LintReport {
  return {
    file: ({ inRepository, findings }) =>
      findings
        .map(({ severity, rule, message, line, column, endLine, endColumn }) => {
          // GitHub takes an end column as a column of the first line, so only findings within one line get columns.
          const columns = endLine === line ? [`col=${column}`, `endColumn=${endColumn}`] : [];
          const places = [`file=${escapedProperty(inRepository)}`, `line=${line}`, `endLine=${endLine}`, ...columns];
          return `::${levels[severity]} ${[...places, `title=${escapedProperty(rule)}`].join(",")}::${escapedAnnotationText(message)}\n`;
        })
        .join(""),
  };
}

function escapedAnnotationText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedAnnotationText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
