/**
 * A text for a processor of remark or rehype, as a file in no folder. Given the text alone, they ask for the working directory,
 * which may be gone.
 */
export function textFile(value = ""): { value: string; cwd: string } {
  return { value, cwd: "/" };
}
