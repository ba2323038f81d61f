/** Paths of files as links write them: `/` between folders, never beyond the root. */

/** The path a link leads to from a file; undefined where it leaves the root. `..` at the front of both is kept. */
export function resolvePath(from: string, link: string): string | undefined {
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

/** How a file names another one. */
export function relativePath(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared] && shared < there.length - 1) shared += 1;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

/** Archived files are in a folder of that name (format v1). */
export function isArchived(path: string): boolean {
  return /(?:^|\/)archive\//.test(path);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
