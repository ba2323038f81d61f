import { applyEdits } from "./edits.ts";
import { lint, type LintOptions } from "./engine.ts";
import type { Edit, Finding } from "./finding.ts";

const passes = 10;

export interface FixedText {
  text: string;
  /** The remaining findings. */
  findings: Finding[];
  /** How many findings were fixed. */
  fixed: number;
}

/** Applies fixes until none is left: safe ones, and unsafe ones too on request. Fixes that overlap wait for the next pass. */
export function lintAndFix(text: string, options: LintOptions, unsafe = false): FixedText {
  let current = text;
  let findings = lint(current, options);
  let fixed = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    const step = applyFixes(current, findings, unsafe);
    if (step.fixed === 0) break;
    current = step.text;
    fixed += step.fixed;
    findings = lint(current, options);
  }
  return { text: current, findings, fixed };
}

/** One round of fixes: those that overlap an earlier one are left for the next. */
export function applyFixes(
  text: string,
  findings: readonly Finding[],
  unsafe = false,
): { text: string; fixed: number } {
  const { edits, count } = chooseEdits(findings, unsafe);
  return { text: applyEdits(text, edits), fixed: count };
}

function chooseEdits(findings: readonly Finding[], unsafe: boolean): { edits: Edit[]; count: number } {
  const edits: Edit[] = [];
  let count = 0;
  for (const { fix } of findings) {
    if (fix === undefined || (!fix.safe && !unsafe)) continue;
    if (fix.edits.some((edit) => edits.some((other) => overlap(edit, other)))) continue;
    edits.push(...fix.edits);
    count += 1;
  }
  return { edits, count };
}

/** Two insertions at one place would have no order. */
function overlap(one: Edit, other: Edit): boolean {
  return (one.start < other.end && other.start < one.end) || one.start === other.start;
}
