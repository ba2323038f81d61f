import { frontMatterKinds, type FrontMatter } from "../markdown/front-matter.ts";
import type { DiffFact } from "./schema.ts";

/** Fields that differ in every version, or in none: they are no changes by people. */
const identity = new Set(["sop", "id", "version"]);

/** The fields of the front matter that differ, in the order of the file; lists are joined with ", ". */
export function diffFacts(before: FrontMatter, after: FrontMatter): DiffFact[] {
  const extras = [before, after].flatMap((front) => Object.keys(front).filter((key) => key.startsWith("x-")));
  const fields = [...Object.keys(frontMatterKinds), ...new Set(extras.toSorted())];
  return fields
    .filter((field) => !identity.has(field))
    .map((field) => ({ field, from: textOf(before, field), to: textOf(after, field) }))
    .filter(({ from, to }) => from !== to);
}

function textOf(front: FrontMatter, field: string): string | null {
  const value = (front as Record<string, unknown>)[field];
  if (value === undefined || value === null) return null;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
