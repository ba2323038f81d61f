import { printable } from "../../output.ts";
import type { Report } from "./report.ts";

/** Prints one finding per line, for editors and `grep`. */
export function compactReport(): Report {
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
  return printable(text).replace(/[\t\n]+/g, " ");
}
