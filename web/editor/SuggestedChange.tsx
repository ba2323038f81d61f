import type { CheckFinding } from "./findings.ts";
import { texts } from "./finding-texts.ts";
import { linesChangedByFix } from "./apply-fix.ts";

const shownAtMost = 3;

/**
 * Shows which lines a suggested fix removes and adds, because only the author can judge the change. Shows nothing for
 * safe fixes.
 */
export function SuggestedChange({ markdown, finding }: { markdown: string; finding: CheckFinding }) {
  if (finding.fix?.safe !== false) return null;
  const { before, after } = linesChangedByFix(markdown, finding);
  return (
    <div className="rounded-sm bg-sunken px-2 py-1 font-mono text-xs">
      <span className="sr-only">{texts.change}</span>
      {firstLinesOf(before).map((line, index) => (
        <del key={index} className="block break-words text-muted">
          {line}
        </del>
      ))}
      {firstLinesOf(after).map((line, index) => (
        <ins key={index} className="block break-words no-underline">
          {line}
        </ins>
      ))}
    </div>
  );
}

function firstLinesOf(lines: readonly string[]): readonly string[] {
  return lines.length > shownAtMost ? [...lines.slice(0, shownAtMost), "…"] : lines;
}
