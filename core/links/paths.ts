/** Joins and compares paths as links write them: `/` between folders, never beyond the root. */

/**
 * Returns the path to which a link in the file `from` leads. For a relative `from`, the result can begin with `..`.
 * Undefined if an absolute path would leave the root.
 */
export function resolveLinkPath(from: string, link: string): string | undefined {
  const parts = from.split("/").slice(0, -1);
  for (const part of link.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (from.startsWith("/")) return undefined;
    else parts.push("..");
  }
  return (from.startsWith("/") ? "/" : "") + parts.filter((part) => part !== "" && part !== ".").join("/");
}

/** Returns the relative path from one file to another. */
export function relativePath(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared] && shared < there.length - 1) shared += 1;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/** Tells whether a file is in a folder `archive`, which contains archived SOPs (format v1). */
export function isInArchiveFolder(path: string): boolean {
  return /(?:^|\/)archive\//.test(path);
}

/** Returns the name of a file without its folders. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
