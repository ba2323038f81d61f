/** Applies a finding's fix to the current text. */
import { applyEdits } from "#core/lint/edits.ts";
import { createPositionLookup } from "#core/lint/positions.ts";
import type { TextEdit } from "#core/lint/finding.ts";
import type { CheckFinding } from "./findings.ts";
import type { MarkdownPosition } from "./finding-places.ts";

/**
 * Applies a finding's fix to the current text.
 * @param checked the text that the finding is about
 * @returns the fixed text; null if the finding has no fix, if a line to fix changed since the check, or if the fix is
 *   unsafe and anything changed
 */
export function textWithFix(now: string, checked: string, finding: CheckFinding): string | null {
  // An unsafe fix applies only to the exact text that was checked.
  if (finding.fix?.safe === false && now !== checked) return null;
  const edits = finding.fix && rebaseEdits(finding.fix.edits, checked, now);
  return edits ? applyEdits(now, edits) : null;
}

/** Returns the edits with their positions in the changed text; null if a line to edit changed. */
function rebaseEdits(edits: readonly TextEdit[], before: string, now: string): TextEdit[] | null {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && before[same] === now[same]) same += 1;
  let after = 0;
  while (after < most - same && before[before.length - 1 - after] === now[now.length - 1 - after]) after += 1;
  const carried: TextEdit[] = [];
  for (const edit of edits) {
    const start = before.lastIndexOf("\n", edit.start - 1) + 1;
    const end = before.indexOf("\n", edit.end);
    const isBefore = before === now || (end !== -1 && end < same);
    const isAfter = start > before.length - after;
    if (!isBefore && !isAfter) return null;
    const by = isBefore ? 0 : now.length - before.length;
    carried.push({ ...edit, start: edit.start + by, end: edit.end + by });
  }
  return carried;
}

/**
 * Returns the position of the first placeholder that a fix left in the text, such as `[insert …]`; null if there is
 * none.
 */
function placeholderPositionAfterFix({ fix }: CheckFinding, fixed: string): MarkdownPosition | null {
  for (const { start, text } of fix?.edits ?? []) {
    const words = /\[insert [^[\]\n]*\]/.exec(text)?.[0];
    const at = words === undefined ? -1 : fixed.indexOf(words, start);
    if (words !== undefined && at !== -1) return createPositionLookup(fixed)({ start: at, end: at + words.length });
  }
  return null;
}

/** `refused`: the text changed since the check. `selected`: the placeholder to fill in has the focus. */
export type FixResult = "refused" | "done" | "selected";

/** The functions of an editor that a fix needs. */
interface FixableEditor {
  read(): string;
  /** Replaces the whole text and passes it to `onChange`. */
  replace(markdown: string): void;
  show(at: MarkdownPosition, markdown: string): void;
  onFixed(finding: CheckFinding): void;
}

/** Applies the fix of a finding in `checked` to the current text, and selects the placeholder that it leaves. */
export function applyFix(editor: FixableEditor, finding: CheckFinding, checked: string): FixResult {
  const next = textWithFix(editor.read(), checked, finding);
  if (next === null) return "refused";
  editor.replace(next);
  editor.onFixed(finding);
  const left = placeholderPositionAfterFix(finding, next);
  if (left) editor.show(left, next);
  return left ? "selected" : "done";
}

/**
 * Returns the lines that a fix removes and those that it adds. If the fix only moves lines, `after` has the moved
 * lines.
 */
export function linesChangedByFix(checked: string, { fix }: CheckFinding): { before: string[]; after: string[] } {
  const edits = fix?.edits ?? [];
  const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  const [old, next] = [linesOf(checked), linesOf(applyEdits(checked, edits))];
  // Steps that only get a new number count as unchanged.
  const wordsOf = (line: string) => line.replace(/^\s*\d+[.)]\s+/, "");
  const [wasThere, isThere] = [new Set(old.map(wordsOf)), new Set(next.map(wordsOf))];
  const before = old.filter((line) => !isThere.has(wordsOf(line)));
  const after = next.filter((line) => !wasThere.has(wordsOf(line)));
  const moved = before.length + after.length > 0 ? [] : edits.flatMap(({ text }) => linesOf(text));
  return { before, after: [...after, ...moved] };
}
