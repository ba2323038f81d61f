import { uncategorizedFolder } from "../repository/names.ts";
import { slugify } from "../repository/slugs.ts";
import type { CategoryNames } from "./rules.ts";

/** Returns the slug of a new category. If another category already has this slug, `-2`, `-3` … is appended. */
export function uniqueCategorySlug(name: string, categories: readonly CategoryNames[]): string {
  const wanted = slugify(name);
  const taken = new Set([uncategorizedFolder, ...categories.map(({ slug }) => slug)]);
  let slug = wanted;
  for (let copy = 2; taken.has(slug); copy++) slug = `${wanted.slice(0, 55)}-${copy}`;
  return slug;
}
