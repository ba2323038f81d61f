import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { hasFrontMatter } from "#core/markdown/parser/front-matter.ts";
import type { Finding } from "#core/lint/finding.ts";
import { printableText, type CommandOutput } from "../../output.ts";
import type { LintReport } from "./report.ts";

const colors = { error: "red", warning: "yellow", info: "cyan" } as const;

/** Prints findings under their file in columns, for people. */
export function prettyReport(out: CommandOutput): LintReport {
  return {
    file: ({ shown, findings: all, text }) => {
      const findings = out.verbose ? all : withOneFormatLine(all, shown, text);
      if (findings.length === 0) return "";
      const rule = Math.max(...findings.map((finding) => finding.rule.length));
      const lines = findings.map(({ line, column, severity, rule: id, message }) => {
        const place = `${line}:${column}`.padStart(7);
        return `${place}  ${out.paint(colors[severity], severity.padEnd(7))}  ${id.padEnd(rule)}  ${printableText(message)}\n`;
      });
      return `${out.paint("bold", printableText(shown))}\n${lines.join("")}\n`;
    },
  };
}

/** The rules whose findings show that a document doesn't have the SOP format. */
const formatRules: readonly string[] = ["meta/required", "struct/sections", "struct/no-h1"];

/** Replaces all findings about the format of another tool's document by one line with the command that converts it. */
function withOneFormatLine(findings: readonly Finding[], shown: string, text: () => string): readonly Finding[] {
  const format = findings.filter(({ rule }) => formatRules.includes(rule));
  const [first] = format;
  if (format.length < 3 || first === undefined || !isFromOtherTool(format, text())) return findings;
  const safe = format.some(({ fix }) => fix?.safe === true) ? "; --fix moves its title" : "";
  const path = /\s/.test(shown) ? JSON.stringify(shown) : shown;
  const message = `Not an SOP yet (${format.length} issues, -v lists them). Convert it: sop import ${path} --to-dir <dir>${safe}`;
  return [{ ...first, rule: "format", message }, ...findings.filter((finding) => !format.includes(finding))];
}

/**
 * Says whether a document comes from another tool: it has no front matter, or no owner and more than two missing
 * sections. A draft SOP can lack its owner, but not most sections as well.
 */
function isFromOtherTool(format: readonly Finding[], text: string): boolean {
  if (!format.some(({ rule }) => rule === "meta/required")) return false;
  if (!hasFrontMatter(text)) return true;
  const front = splitFrontMatter(text).raw ?? "";
  const sections = format.filter(({ rule }) => rule === "struct/sections").length;
  return sections > 2 && !/^owner:[ \t]*(?!["']{2}[ \t]*$)\S/m.test(front);
}
