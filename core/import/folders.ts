/** Turns the folders of a document into its category or its tags. */
import { canNameCategory } from "#core/categories/rules.ts";
import { limits } from "#core/limits.ts";
import { possibleCategoryFolders } from "#core/sops/import-rules.ts";
import { isSystemFile } from "./layouts.ts";

export interface FolderMeanings {
  categories: boolean;
  tags: boolean;
}

/** The category and tags that a document gets from its folders. */
export interface Placement {
  /**
   * The names of a category and of a category inside it; empty for a document outside of folders. Absent if folders
   * aren't used as categories.
   */
  folders?: string[];
  tags?: string[];
}

/**
 * Returns the category and tags for a path: the two outer folders become categories, deeper ones become tags. Without
 * categories, all folders become tags.
 *
 * @param path the path of the document, with forward slashes
 * @param starts folders that the user named; the folders inside them count, they themselves don't
 */
export function placementOf(path: string, starts: readonly string[], { categories, tags }: FolderMeanings): Placement {
  if (!categories && !tags) return {};
  const [start = ""] = starts
    .filter((folder) => path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length);
  const folders = possibleCategoryFolders(path.slice(start.length).normalize("NFC"))
    .filter(canNameCategory)
    .map((folder) => folder.trim())
    .reverse();
  const rest = categories ? folders.slice(2) : folders;
  return {
    ...(categories && { folders: folders.slice(0, 2).map((name) => name.slice(0, limits.categoryCharacters).trim()) }),
    ...(tags && { tags: [...new Set(rest.map(folderTagOf))] }),
  };
}

/**
 * Returns the outermost folder that contains all files of an archive. Most archives have such a folder, named after the
 * packed folder.
 *
 * @param paths the paths of all files in the archive
 * @returns the folder's parts; empty without a common folder
 */
export function commonFolderOf(paths: readonly string[]): string[] {
  const own = paths.filter((path) => !isSystemFile(path));
  const outer = new Set(own.map((path) => path.slice(0, Math.max(0, path.indexOf("/")))));
  return outer.size === 1 && !outer.has("") ? [...outer] : [];
}

/** Returns a folder's name as a tag, without commas, because commas separate tags. */
function folderTagOf(folder: string): string {
  return folder.replaceAll(",", " ").replace(/\s+/g, " ").trim().slice(0, limits.tagCharacters).trim();
}

/** Returns all tags without duplicates: first those of the front matter, then the others. */
export function mergedTags(own: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(own ?? []), ...more])];
}
