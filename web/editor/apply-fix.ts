/** A finding's fix, made in the text as it is now. */
import { applyEdits } from "#core/lint/edits.ts";
import { createPositions } from "#core/lint/positions.ts";
import type { Edit } from "#core/lint/finding.ts";
import type { Finding } from "./findings.ts";
import type { Position } from "./finding-places.ts";

/** @param checked the text it was found in @returns the text with the fix, null where the lines it is about are no longer what was checked */
export function textWithFix(now: string, checked: string, finding: Finding): string | null {
  // what may be wrong is made in what was checked, or not at all
  if (finding.fix?.safe === false && now !== checked) return null;
  const edits = finding.fix && rebaseEdits(finding.fix.edits, checked, now);
  return edits ? applyEdits(now, edits) : null;
}

/** The edits as they count in the changed text; null where one of their lines changed. */
function rebaseEdits(edits: readonly Edit[], before: string, now: string): Edit[] | null {
  const most = Math.min(before.length, now.length);
  let same = 0;
  while (same < most && before[same] === now[same]) same += 1;
  let after = 0;
  while (after < most - same && before[before.length - 1 - after] === now[now.length - 1 - after]) after += 1;
  const carried: Edit[] = [];
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

/** The blank that a fix left in its text: the place of `[insert …]`. */
function blankToFill({ fix }: Finding, fixed: string): Position | null {
  for (const { start, text } of fix?.edits ?? []) {
    const words = /\[insert [^[\]\n]*\]/.exec(text)?.[0];
    const at = words === undefined ? -1 : fixed.indexOf(words, start);
    if (words !== undefined && at !== -1) return createPositions(fixed)({ start: at, end: at + words.length });
  }
  return null;
}

/** `refused`: the text changed since the check. `selected`: the focus is on the blank to fill in. */
export type FixResult = "refused" | "done" | "selected";

/** What a fix asks of an editor. */
interface FixableEditor {
  read(): string;
  /** Takes the whole text over, and hands it on. */
  replace(markdown: string): void;
  show(at: Position, markdown: string): void;
  onFixed(finding: Finding): void;
}

/** Applies the fix of a finding in `checked` to the current text, and selects the blank it leaves. */
export function applyFix(editor: FixableEditor, finding: Finding, checked: string): FixResult {
  const next = textWithFix(editor.read(), checked, finding);
  if (next === null) return "refused";
  editor.replace(next);
  editor.onFixed(finding);
  const left = blankToFill(finding, next);
  if (left) editor.show(left, next);
  return left ? "selected" : "done";
}

/** The lines a fix takes away and those it brings; of what only moves, the lines that do. */
export function changedLines(checked: string, { fix }: Finding): { before: string[]; after: string[] } {
  const edits = fix?.edits ?? [];
  const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  const [old, next] = [linesOf(checked), linesOf(applyEdits(checked, edits))];
  // steps that only get a new number are unchanged
  const wordsOf = (line: string) => line.replace(/^\s*\d+[.)]\s+/, "");
  const [wasThere, isThere] = [new Set(old.map(wordsOf)), new Set(next.map(wordsOf))];
  const before = old.filter((line) => !isThere.has(wordsOf(line)));
  const after = next.filter((line) => !wasThere.has(wordsOf(line)));
  const moved = before.length + after.length > 0 ? [] : edits.flatMap(({ text }) => linesOf(text));
  return { before, after: [...after, ...moved] };
}
