/** Decides the outcome of an imported document, from its source's record and the SOP it would change. */
import { canNameCategory, findCategory } from "../categories/rules.ts";
import { CategoryName } from "../categories/schema.ts";
import { asKind, type FrontMatter } from "../markdown/front-matter.ts";
import type { ImportOutcome, ImportRequest } from "./import-schema.ts";

/** The SOP a document would become the next version of. */
export interface Target {
  version: number;
  /** Does the document have the text of the latest version? */
  sameAsLatest: boolean;
  /** Does it say what the version it was based on said: an older, unchanged copy? */
  sameAsBase: boolean;
  /** Is it another document that happens to have the same path? */
  isOther: boolean;
}

export type Decision = { outcome: Extract<ImportOutcome, "create" | "update" | "unchanged" | "conflict"> };

/**
 * @param base the version the document was made from: from its front matter, or from the earlier import
 */
export function decideImport(target: Target | null, base: number | null): Decision {
  if (!target) return { outcome: "create" };
  if (target.sameAsLatest || target.sameAsBase) return { outcome: "unchanged" };
  return { outcome: base === target.version && !target.isOther ? "update" : "conflict" };
}

interface TitledText {
  title: string | undefined;
  markdown: string;
}

/** Two folders can each have an `index.md`: another title, and not one line of the text in common. */
export function isOtherDocument(before: TitledText, after: TitledText): boolean {
  if (before.title === after.title) return false;
  const lines = new Set(linesOf(before.markdown));
  return !linesOf(after.markdown).some((line) => lines.has(line));
}

/** Without lines that are only marks. */
function linesOf(markdown: string): string[] {
  return markdown.split("\n").flatMap((line) => (/\p{L}/u.test(line) ? [line.trim()] : []));
}

const isCategoryName = (text: string) => CategoryName.safeParse(text).success;

/** Folders that only sort files and name no category. */
const plainFolders = new Set(["sops", "templates", "archive", "docs", "doc", "pages", "content", "markdown", "src"]);

/** The folder names of a path that could name a category, nearest first. */
export function categoryFolders(path: string): string[] {
  return path
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder !== "." && folder !== "" && !plainFolders.has(folder.toLowerCase()))
    .reverse();
}

/** The category that a file names: `category` is no key of ours, so it is under `x-`. */
export function namedCategory(frontMatter: FrontMatter | undefined): string | undefined {
  return asKind("string", frontMatter?.["x-category"]) as string | undefined;
}

/**
 * The category of a new SOP: by its front matter, by its folders, or by the request.
 *
 * @param named by the front matter: see `namedCategory`
 * @returns the category that is there, or the name of the one to create; neither: uncategorized
 */
export function chooseCategory<Category extends { name: string; slug: string }>(
  categories: readonly Category[],
  request: Pick<ImportRequest, "category" | "createCategories">,
  path: string,
  named: string | undefined,
): { found?: Category | undefined; wanted?: string | undefined } {
  const candidates = [...(named === undefined ? [] : [named]), ...categoryFolders(path)].filter(canNameCategory);
  const find = (name: string) => findCategory(categories, name);
  const found = candidates.map(find).find((category) => category !== undefined);
  if (found) return { found };
  const wanted = request.category ?? (request.createCategories ? candidates.find(isCategoryName) : undefined);
  return wanted === undefined ? {} : { found: find(wanted), wanted };
}
