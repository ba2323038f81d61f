import { applyEdits } from "./edits.ts";
import { lintText, type LintOptions } from "./engine.ts";
import type { Finding } from "./finding.ts";
import { withCheckedSafeFixes, fixesSafeTogether, splitByOverlap } from "./safe-fix.ts";

const passes = 10;

export interface FixedText {
  text: string;
  /** The remaining findings. */
  findings: Finding[];
  /** The number of fixed findings. */
  fixed: number;
}

/**
 * Applies fixes until none is left, for at most 10 passes: safe ones, and with `unsafe` suggested ones too. Overlapping
 * fixes wait for the next pass.
 */
export function lintAndFix(text: string, options: LintOptions, unsafe = false): FixedText {
  let current = text;
  let findings = lintText(current, options);
  let fixed = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    const step = applyFixes(current, findings, unsafe);
    if (step.fixed === 0) break;
    current = step.text;
    fixed += step.fixed;
    findings = lintText(current, options);
  }
  return { text: current, findings, fixed };
}

/**
 * Applies one round of fixes. A fix that overlaps an earlier one waits for the next round. A fix that claims to be safe
 * but changes more than its rule declares counts as a suggested fix.
 */
export function applyFixes(
  text: string,
  findings: readonly Finding[],
  unsafe = false,
): { text: string; fixed: number } {
  const wanted = withCheckedSafeFixes(text, findings).filter(({ fix }) => fix !== undefined && (fix.safe || unsafe));
  const { chosen: apart } = splitByOverlap(wanted);
  const chosen = unsafe ? apart : fixesSafeTogether(text, apart);
  const edits = chosen.flatMap(({ fix }) => fix?.edits ?? []);
  return { text: applyEdits(text, edits), fixed: chosen.length };
}
