/** A finding's fix, made in the text as it is now. */
import { applyEdits } from "#core/lint/edits.ts";
import type { Edit } from "#core/lint/rule.ts";
import type { Finding } from "./findings.ts";

/** @param checked the text it was found in @returns the text with the fix, null where the lines it is about are no longer what was checked */
export function settled(now: string, checked: string, finding: Finding): string | null {
  // what may be wrong is made in what was checked, or not at all
  if (finding.fix?.safe === false && now !== checked) return null;
  const edits = finding.fix && carriedOver(finding.fix.edits, checked, now);
  return edits ? applyEdits(now, edits) : null;
}

/** The edits as they count in the changed text; null where one of their lines changed. */
function carriedOver(edits: readonly Edit[], before: string, now: string): Edit[] | null {
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
