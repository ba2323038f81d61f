/** The folders of a document as its category or its tags. */
import { canNameCategory } from "#core/categories/rules.ts";
import { limits } from "#core/limits.ts";
import { categoryFolders } from "#core/sops/import-rules.ts";
import { isSystemFile } from "./layouts.ts";

export interface FoldersAs {
  categories: boolean;
  tags: boolean;
}

/** What folders say about a document. */
export interface Placement {
  /** Names of a category and of one inside it; empty for a document in no folder. Absent if folders are no categories. */
  folders?: string[];
  tags?: string[];
}

/**
 * The two outer folders are categories, and the deeper ones tags. Without categories, all are tags.
 *
 * @param path of the document, with forward slashes
 * @param starts the folders that were named: those below them count
 */
export function placementOf(path: string, starts: readonly string[], { categories, tags }: FoldersAs): Placement {
  if (!categories && !tags) return {};
  const [start = ""] = starts
    .filter((folder) => path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length);
  const folders = categoryFolders(path.slice(start.length).normalize("NFC"))
    .filter(canNameCategory)
    .map((folder) => folder.trim())
    .reverse();
  const rest = categories ? folders.slice(2) : folders;
  return {
    ...(categories && { folders: folders.slice(0, 2).map((name) => name.slice(0, limits.categoryCharacters).trim()) }),
    ...(tags && { tags: [...new Set(rest.map(tagOf))] }),
  };
}

/**
 * Most archives have all files in one folder, named after what was packed.
 *
 * @param paths of all its files
 * @returns that folder, or none
 */
export function commonFolder(paths: readonly string[]): string[] {
  const own = paths.filter((path) => !isSystemFile(path));
  const outer = new Set(own.map((path) => path.slice(0, Math.max(0, path.indexOf("/")))));
  return outer.size === 1 && !outer.has("") ? [...outer] : [];
}

/** Commas separate tags where people type them. */
function tagOf(folder: string): string {
  return folder.replaceAll(",", " ").replace(/\s+/g, " ").trim().slice(0, limits.tagCharacters).trim();
}

/** @returns the front matter's tags, with the others once at the end */
export function withTags(own: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(own ?? []), ...more])];
}
