import { categoryPaths } from "#core/categories/rules.ts";
import type { Option } from "../ui/Select.tsx";
import type { Category } from "./category-values.ts";

/** The categories as choices, each named after the one around it. */
export function categoryOptions(categories: readonly Category[] = []): Option[] {
  return [...categoryPaths(categories)].map(([value, label]) => ({ value, label }));
}
