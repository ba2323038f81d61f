/**
 * Wraps a text as a file in the root folder, for remark and rehype. For a bare text, they would look up the working
 * directory, which may no longer exist.
 */
export function textFile(value = ""): { value: string; cwd: string } {
  return { value, cwd: "/" };
}
