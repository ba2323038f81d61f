import { printable, type Output } from "../../output.ts";
import type { Report } from "./report.ts";

const colors = { error: "red", warning: "yellow", info: "cyan" } as const;

/** For people: findings under their file, in columns. */
export function prettyReport(out: Output): Report {
  return {
    file: ({ shown, findings }) => {
      if (findings.length === 0) return "";
      const rule = Math.max(...findings.map((finding) => finding.rule.length));
      const lines = findings.map(({ line, column, severity, rule: id, message }) => {
        const place = `${line}:${column}`.padStart(7);
        return `${place}  ${out.paint(colors[severity], severity.padEnd(7))}  ${id.padEnd(rule)}  ${printable(message)}\n`;
      });
      return `${out.paint("bold", printable(shown))}\n${lines.join("")}\n`;
    },
  };
}
