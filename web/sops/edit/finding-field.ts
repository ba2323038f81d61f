/** Finds the target of a finding without a line: a field of the form, or the whole text. */
import type { CheckFinding } from "../../editor/findings.ts";
import type { MarkdownPosition } from "../../editor/finding-places.ts";
import { createPositionLookup } from "#core/lint/positions.ts";
import type { SopForm } from "#core/sops/schema.ts";

const fields = {
  title: "title",
  description: "description",
  owner: "ownerId",
  review_by: "reviewBy",
} as const satisfies Readonly<Record<string, keyof SopForm>>;

/** Returns the field that a finding about front matter names; null for other findings. */
export function formFieldOf({ rule, line, reason }: CheckFinding): (typeof fields)[keyof typeof fields] | null {
  if (line > 0 || !rule.startsWith("meta/")) return null;
  const key = String(reason?.values["key"]);
  return key in fields ? fields[key as keyof typeof fields] : null;
}

/** Returns the position of a finding. For missing text, this is where the text would be inserted. */
export function positionOfFinding(finding: CheckFinding, markdown: string): MarkdownPosition {
  if (finding.line > 0) return finding;
  const end = markdown.slice(0, finding.fix?.edits[0]?.start ?? 0).trimEnd().length;
  return createPositionLookup(markdown)({ start: end, end });
}
