import { printableText } from "../../output.ts";
import type { LintReport } from "./report.ts";

/** Prints one finding per line, for editors and `grep`. */
export function compactReport(): LintReport {
  return {
    file: ({ shown, findings }) =>
      findings
        .map(
          ({ line, column, severity, rule, message }) =>
            `${oneLine(shown)}:${line}:${column}: ${severity}: ${oneLine(message)} [${rule}]\n`,
        )
        .join(""),
  };
}

function oneLine(text: string): string {
  return printableText(text).replace(/[\t\n]+/g, " ");
}
