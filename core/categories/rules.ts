import { foldText } from "../markdown/words.ts";
import { isSpelledBySlug, slugify } from "../repository/names.ts";

/** The categories of a new company (`docs/spec/entities.md`). */
export const startingCategories = [
  { name: "HR Procedures", slug: "hr-procedures", color: "primary" },
  { name: "Safety Protocols", slug: "safety-protocols", color: "secondary" },
  { name: "IT Operations", slug: "it-operations", color: "accent" },
  { name: "Finance", slug: "finance", color: "warning" },
] as const;

interface Named {
  name: string;
  slug: string;
}

/** The category that a folder or a person means: by its name, or by its slug where that spells the whole name. */
export function findCategory<Category extends Named>(
  categories: readonly Category[],
  wanted: string,
): Category | undefined {
  const folded = foldText(wanted).trim();
  const named = categories.find(({ name }) => foldText(name).trim() === folded);
  if (named || !isSpelledBySlug(wanted)) return named;
  const slug = slugify(wanted);
  return categories.find((category) => category.slug === slug);
}

/** The slug of a new category: names that no slug can spell get `-2`, `-3` … while theirs is taken. */
export function categorySlug(name: string, categories: readonly Named[]): string {
  const wanted = slugify(name);
  const taken = new Set(categories.map(({ slug }) => slug));
  let slug = wanted;
  for (let copy = 2; taken.has(slug); copy++) slug = `${wanted.slice(0, 55)}-${copy}`;
  return slug;
}

/** Folders of signs alone name nothing. */
export function canNameCategory(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name);
}
