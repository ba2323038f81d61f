import { foldText } from "../markdown/words.ts";
import { isSpelledBySlug, latinSlug, uncategorizedFolder } from "../repository/names.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const refusals = sentences("core.categories.refusals", {
  unknown: "This category is not known",
  insideItself: "A category can't be inside itself",
  insideOther: "This category is inside another one",
  containsOthers: "This category contains others",
});

export interface CategoryNames {
  name: string;
  slug: string;
}

/** Finds a category by its name as a person or a folder writes it, or by its slug; undefined if there is none. */
export function findCategory<Category extends CategoryNames>(
  categories: readonly Category[],
  wanted: string,
): Category | undefined {
  const folded = foldText(wanted).trim();
  const named = categories.find(({ name }) => foldText(name).trim() === folded);
  if (named || !isSpelledBySlug(wanted)) return named;
  const slug = latinSlug(wanted);
  return categories.find((category) => category.slug === slug);
}

interface CategoryPlace {
  id: string;
  parentId: string | null;
}

/**
 * Returns the reason why a category can't be inside another one; null if it can. Categories have two levels.
 *
 * @param id the category's id; null for a new category
 * @param parentId the id of the outer category; null for none
 */
export function parentProblem(
  categories: readonly CategoryPlace[],
  id: string | null,
  parentId: string | null,
): MessageWithId | null {
  if (parentId === null) return null;
  const parent = categories.find((category) => category.id === parentId);
  if (!parent) return refusals.unknown();
  if (parent.id === id) return refusals.insideItself();
  if (parent.parentId !== null) return refusals.insideOther();
  if (id !== null && categories.some((category) => category.parentId === id)) return refusals.containsOthers();
  return null;
}

/** Returns the ids of a category and of the categories inside it. */
export function categoryIdsWithin(categories: readonly CategoryPlace[], id: string): string[] {
  return [id, ...categories.filter(({ parentId }) => parentId === id).map((category) => category.id)];
}

/** Puts each category before the categories inside it, otherwise in the given order. */
export function sortInNestedOrder<Category extends CategoryPlace>(categories: readonly Category[]): Category[] {
  const inside = new Map<string, Category[]>(categories.map(({ id }) => [id, []]));
  const outer = categories.filter((category) => {
    const around = category.parentId === null ? undefined : inside.get(category.parentId);
    around?.push(category);
    return around === undefined;
  });
  return outer.flatMap((category) => [category, ...(inside.get(category.id) ?? [])]);
}

/** Returns the path of each category by its id: `Production / Cleaning` for "Cleaning" inside "Production". */
export function categoryPaths(categories: readonly (CategoryPlace & { name: string })[]): ReadonlyMap<string, string> {
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return new Map(
    categories.map(({ id, name, parentId }) => {
      const around = parentId === null ? undefined : names.get(parentId);
      return [id, around === undefined ? name : `${around} / ${name}`];
    }),
  );
}

/** Returns the category around a category; undefined for a top-level one. */
export function outerCategoryOf<Category extends CategoryPlace>(
  categories: readonly Category[],
  id: string | null,
): Category | undefined {
  const category = categories.find((one) => one.id === id);
  return category && categories.find((one) => one.id === category.parentId);
}

/** Tells whether a category's name gives the folder that is reserved for SOPs without a category. */
export function isNamedLikeUncategorized(name: string): boolean {
  return isSpelledBySlug(name) && latinSlug(name) === uncategorizedFolder;
}

/** Tells whether a folder's name can be the name of a category: it contains a letter or digit and isn't reserved. */
export function canNameCategory(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name) && !isNamedLikeUncategorized(name);
}
