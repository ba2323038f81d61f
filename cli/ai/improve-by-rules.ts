import { applyFixes } from "#core/lint/fix.ts";
import { lint, type LintOptions } from "#core/lint/engine.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Document } from "./document.ts";
import type { Proposals } from "./proposals.ts";

const passes = 10;

/**
 * Formats the body and applies every safe fix in it. The remaining findings cover the whole file with its front matter.
 */
export function improveByRules({ head, body: given }: Document, options: LintOptions): Proposals {
  let body = formatMarkdown(given);
  let findings = lint(head + body, options);
  let fixed = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    const inBody = findings.filter(({ fix }) => fix?.edits.every(({ start }) => start >= head.length));
    const step = applyFixes(head + body, inBody);
    if (step.fixed === 0) break;
    body = step.text.slice(head.length);
    fixed += step.fixed;
    findings = lint(head + body, options);
  }
  const open = findings.map(({ fix: _fix, ...finding }) => finding);
  return { body, by: { kind: "rules", fixed }, summary: "", edits: [], dropped: [], findings: open };
}
