import type { Finding } from "#core/lint/finding.ts";
import { escapeBetweenTags } from "#core/text/escape-html.ts";
import type { LintReport } from "./report.ts";

/**
 * Prints JUnit XML: a file is a test suite, a finding is a failed test, and a file without findings is a passed test.
 */
export function junitReport(now: Date = new Date()): LintReport {
  const timestamp = now.toISOString().slice(0, 19);
  let id = -1;
  return {
    begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
    file: ({ shown, findings }) => {
      id += 1;
      const cases =
        findings.length === 0 ? [passedTestCaseXml(shown)] : findings.map((finding) => testCaseXml(shown, finding));
      const failures = findings.filter(({ severity }) => severity !== "info").length;
      const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="0"`;
      const names = `name="${escapedAttribute(shown)}" package="sop.lint" id="${id}" timestamp="${timestamp}" hostname="localhost"`;
      return (
        `  <testsuite ${names} ${counts}>\n    <properties/>\n${cases.join("")}` +
        "    <system-out/>\n    <system-err/>\n  </testsuite>\n"
      );
    },
    end: () => "</testsuites>\n",
  };
}

function passedTestCaseXml(path: string): string {
  return `    <testcase name="lint" classname="${escapedAttribute(path)}" time="0"/>\n`;
}

/** Returns a test case, which has failed unless the finding is only a hint. */
function testCaseXml(path: string, { rule, severity, message, line, column }: Finding): string {
  const opening = `    <testcase name="${escapedAttribute(`${rule} ${line}:${column}`)}" classname="${escapedAttribute(path)}" time="0"`;
  if (severity === "info") return `${opening}/>\n`;
  const summary = `${path}:${line}:${column}: ${severity}: ${message}`;
  return `${opening}>\n      <failure message="${escapedAttribute(message)}" type="${severity}">${escapeXmlText(summary)}</failure>\n    </testcase>\n`;
}

function escapedAttribute(value: string): string {
  return escapeXmlText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

function escapeXmlText(value: string): string {
  return escapeBetweenTags(
    value.toWellFormed().replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd"),
  );
}
