import { createPositionLookup } from "#core/lint/positions.ts";
import type { Finding, Fix } from "#core/lint/finding.ts";
import { rules } from "#core/lint/rules/index.ts";
import { exit } from "../../exit.ts";
import { version } from "#core/version.ts";
import { createFingerprinter } from "../fingerprint.ts";
import { createCommaSeparator, type FileReport, type LintReport } from "./report.ts";

const levels = { error: "error", warning: "warning", info: "note" } as const;
const index = new Map(rules.map(({ id }, at) => [id, at]));

/**
 * Prints SARIF 2.1.0: addresses relative to the repository, fixes as replacements, and fingerprints that survive moved
 * lines.
 */
export function sarifReport(): LintReport {
  const item = createCommaSeparator();
  return {
    begin: () =>
      `{\n"version": "2.1.0",\n"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",\n` +
      `"runs": [{\n"tool": ${JSON.stringify({ driver })},\n"columnKind": "utf16CodeUnits",\n` +
      `"originalUriBaseIds": {"SRCROOT": {"description": {"text": "The top of the repository"}}},\n"results": [`,
    file: (report) => {
      if (report.findings.length === 0) return "";
      const print = createFingerprinter(report.text(), report.inRepository);
      return report.findings
        .map((finding) => item(JSON.stringify(sarifResultOf(finding, report, print(finding)))))
        .join("");
    },
    end: ({ exit: code, problems }) => {
      const notifications = problems.map(({ message }) => ({ level: "error", message: { text: message } }));
      const invocation = {
        executionSuccessful: code === exit.done || code === exit.findings,
        exitCode: code,
        toolExecutionNotifications: notifications,
      };
      return `\n],\n"invocations": ${JSON.stringify([invocation])}\n}]\n}\n`;
    },
  };
}

const driver = {
  name: "sopwright",
  semanticVersion: version,
  rules: rules.map(({ id, why, source, severity }) => ({
    id,
    shortDescription: { text: why.text },
    help: { text: `${why.text}\nFrom: ${source}\nsop lint --explain ${id}` },
    defaultConfiguration: { level: levels[severity] },
  })),
};

function sarifResultOf(finding: Finding, { inRepository, text }: FileReport, print: string): object {
  const { rule, severity, message, line, column, endLine, endColumn, fix } = finding;
  const artifactLocation = { uri: relativeUri(inRepository), uriBaseId: "SRCROOT" };
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  const ruleIndex = index.get(rule);
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    partialFingerprints: { "sopwright/v1": print, primaryLocationLineHash: `${print}:1` },
    ...(fix !== undefined && { fixes: [sarifFixOf(fix, artifactLocation, text())] }),
  };
}

function sarifFixOf({ safe, edits }: Fix, artifactLocation: object, text: string): object {
  const positionOf = createPositionLookup(text);
  const replacements = edits.map((edit) => {
    const { line, column, endLine, endColumn } = positionOf(edit);
    const deletedRegion = { startLine: line, startColumn: column, endLine, endColumn };
    return { deletedRegion, insertedContent: { text: edit.text } };
  });
  return {
    description: { text: safe ? "Safe: keeps the meaning (sop lint --fix)" : "Review it (--unsafe-fixes)" },
    artifactChanges: [{ artifactLocation, replacements }],
  };
}

function relativeUri(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
