import { categoryPaths } from "#core/categories/rules.ts";
import type { SelectOption } from "../ui/Select.tsx";
import type { Category } from "./category-values.ts";

/** Categories as options of a select, each with the path of the categories around it. */
export function categoryOptions(categories: readonly Category[] = []): SelectOption[] {
  return [...categoryPaths(categories)].map(([value, label]) => ({ value, label }));
}
