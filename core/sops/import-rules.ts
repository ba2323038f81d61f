/**
 * Decides the outcome of an imported document, from the record of an earlier import and the SOP that it would change.
 */
import { canNameCategory, findCategory } from "../categories/rules.ts";
import { CategoryName } from "../categories/schema.ts";
import { convertToKind, type FrontMatter } from "../markdown/front-matter.ts";
import { foldWord } from "../text/fold.ts";
import type { ImportOutcome, ImportRequest } from "./import-schema.ts";

/** The SOP that would get the document as its next version. */
export interface ImportTarget {
  version: number;
  /** True if the document has the text of the latest version. */
  sameAsLatest: boolean;
  /** True if the document has the text of the version that it was based on, so that it is an older, unchanged copy. */
  sameAsBase: boolean;
  /** True if the document only has the path of this SOP, and other content. */
  isOther: boolean;
}

export type ImportDecision = { outcome: Extract<ImportOutcome, "create" | "update" | "unchanged" | "conflict"> };

/** Decides the outcome of one document. @param base the version that the document was edited from; null: not known */
export function decideImport(target: ImportTarget | null, base: number | null): ImportDecision {
  if (!target) return { outcome: "create" };
  if (target.sameAsLatest || target.sameAsBase) return { outcome: "unchanged" };
  return { outcome: base === target.version && !target.isOther ? "update" : "conflict" };
}

export interface TitledText {
  title: string | undefined;
  markdown: string;
}

/** Tells whether two titles are equal, apart from capitals and spaces. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
  return foldedTitle(one) === foldedTitle(other);
}

function foldedTitle(title: string | undefined): string | undefined {
  return title === undefined ? undefined : foldWord(title).trim().replace(/\s+/g, " ");
}

/**
 * Tells whether two texts are different documents: they have another title and no line in common. Two folders can each
 * have an `index.md`.
 */
export function isOtherDocument(before: TitledText, after: TitledText): boolean {
  if (isSameTitle(before.title, after.title)) return false;
  const lines = new Set(linesWithWords(before.markdown));
  return !linesWithWords(after.markdown).some((line) => lines.has(line));
}

/** Tells whether a text shares at least half of its lines with another one, as a file that was renamed and edited. */
export function sharesHalfOfLines(before: string, after: string): boolean {
  return isHalfCommon(new Set(linesWithWords(before)), new Set(linesWithWords(after)));
}

export function isHalfCommon(was: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  const common = commonLineCount(was, now);
  return common > 0 && common * 2 >= Math.max(was.size, now.size);
}

export function commonLineCount(was: ReadonlySet<string>, now: ReadonlySet<string>): number {
  return [...now].filter((line) => was.has(line)).length;
}

/** The lines of a text without those that only contain marks. */
export function linesWithWords(markdown: string): string[] {
  return markdown.split("\n").flatMap((line) => (/[\p{L}\p{N}]/u.test(line) ? [line.trim()] : []));
}

const isCategoryName = (text: string) => CategoryName.safeParse(text).success;

/** Names of folders that only sort files and name no category. */
const plainFolders = new Set(["sops", "templates", "archive", "docs", "doc", "pages", "content", "markdown", "src"]);

/** The folder names of a path that could name a category, the nearest first. */
export function possibleCategoryFolders(path: string): string[] {
  return path
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder !== "." && folder !== "" && !plainFolders.has(folder.toLowerCase()))
    .reverse();
}

/** The category that a file names. `category` is no known key, so it is stored under `x-`. */
export function categoryNamedIn(frontMatter: FrontMatter | undefined): string | undefined {
  return convertToKind("string", frontMatter?.["x-category"]) as string | undefined;
}

/**
 * Chooses the category of a new SOP: by its front matter, by its folders, or by the request.
 *
 * @param named the name in the front matter: see `categoryNamedIn`
 * @returns an existing category, or the name of one to create; neither for an uncategorized SOP
 */
export function chooseCategory<Category extends { name: string; slug: string }>(
  categories: readonly Category[],
  request: Pick<ImportRequest, "category" | "createCategories">,
  path: string,
  named: string | undefined,
): { found?: Category | undefined; wanted?: string | undefined } {
  const candidates = [...(named === undefined ? [] : [named]), ...possibleCategoryFolders(path)].filter(
    canNameCategory,
  );
  const findByName = (name: string) => findCategory(categories, name);
  const found = candidates.map(findByName).find((category) => category !== undefined);
  if (found) return { found };
  const wanted = request.category ?? (request.createCategories ? candidates.find(isCategoryName) : undefined);
  return wanted === undefined ? {} : { found: findByName(wanted), wanted };
}
