import type { Report } from "./report.ts";

const levels = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands: GitHub shows them beside the lines of a pull request. */
export function githubReport(): Report {
  return {
    file: ({ inRepository, findings }) =>
      findings
        .map(({ severity, rule, message, line, column, endLine, endColumn }) => {
          // GitHub reads an end column as one of the first line, so columns are given only for findings within a line.
          const columns = endLine === line ? [`col=${column}`, `endColumn=${endColumn}`] : [];
          const places = [`file=${property(inRepository)}`, `line=${line}`, `endLine=${endLine}`, ...columns];
          return `::${levels[severity]} ${[...places, `title=${property(rule)}`].join(",")}::${data(message)}\n`;
        })
        .join(""),
  };
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
