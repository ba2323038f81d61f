/** Writes the files under `.sop/`. */
import { quotedForYaml } from "#core/text/yaml-string.ts";
import type { CategoryEntry } from "./event.ts";

export const repoFilePath = ".sop/repo.yml";
export const categoriesFilePath = ".sop/categories.yml";

/** `.sop/repo.yml`, which only the root commit writes. */
export function repoFileText(companyId: string, epoch: number): string {
  return `format: 1\ncompany: ${quotedForYaml(companyId)}\nepoch: ${epoch}\n`;
}

/** `.sop/categories.yml`: slug → name, color, order, and the slug of the category around it. */
export function categoriesFileText(categories: readonly CategoryEntry[]): string {
  if (categories.length === 0) return "{}\n";
  return orderedCategories(categories)
    .map(
      (category) =>
        `${quotedForYaml(category.slug)}:\n  name: ${quotedForYaml(category.name)}\n  color: ${quotedForYaml(category.color)}\n  order: ${category.order}\n${category.parent === undefined ? "" : `  parent: ${quotedForYaml(category.parent)}\n`}`,
    )
    .join("");
}

/** Reads the categories of a file that `categoriesFileText` wrote. */
export function readCategories(text: string): CategoryEntry[] {
  const categories: CategoryEntry[] = [];
  for (const line of text.split("\n")) {
    const [, indent, key = "", value = ""] = /^( *)("[^"]*"|[a-z]+):(?: (.*))?$/.exec(line) ?? [];
    const last = categories.at(-1);
    if (indent === "") categories.push({ slug: JSON.parse(key) as string, name: "", color: "", order: 0 });
    else if (indent !== undefined && last !== undefined) Object.assign(last, { [key]: JSON.parse(value) as unknown });
  }
  return categories;
}

export function orderedCategories(categories: readonly CategoryEntry[]): CategoryEntry[] {
  return categories.toSorted((a, b) => a.order - b.order || (a.slug < b.slug ? -1 : 1));
}
