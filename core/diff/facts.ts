import type { FrontMatter } from "../markdown/front-matter.ts";
import { fileFields } from "../sop-fields.ts";
import type { DiffFact } from "./schema.ts";

/**
 * Returns the fields in which two front matters differ, in the order of the file, with lists joined by ", ". `sop`,
 * `id` and `version` are left out, because people don't change them.
 */
export function changedFrontMatterFields(before: FrontMatter, after: FrontMatter): DiffFact[] {
  const extras = [before, after].flatMap((front) => Object.keys(front).filter((key) => key.startsWith("x-")));
  const fields = ["number", ...fileFields.map(({ file }) => file), ...new Set(extras.toSorted())];
  return fields
    .map((field) => ({ field, from: frontMatterFieldText(before, field), to: frontMatterFieldText(after, field) }))
    .filter(({ from, to }) => from !== to);
}

function frontMatterFieldText(front: FrontMatter, field: string): string | null {
  const value = (front as Record<string, unknown>)[field];
  if (value === undefined || value === null) return null;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
