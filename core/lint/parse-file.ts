import type { Root, Yaml } from "mdast";
import { parse } from "#markdown-parser";

/** A whole file as one tree: the front matter is its first node, positions count from the file's beginning. */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const tree = parse(text, { frontMatter: true });
  const [first] = tree.children;
  return { tree, yaml: first?.type === "yaml" ? first : undefined };
}
