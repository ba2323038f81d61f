import type { Root, Yaml } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

// Only what some rule asks for: bare addresses, footnotes and struck-out text are text here, and cost nothing.
const extensions = [frontmatter(["yaml"]), gfmTable(), gfmTaskListItem()];
const mdastExtensions = [frontmatterFromMarkdown(["yaml"]), gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()];

/** A whole file as one tree: the front matter is its first node, positions count from the file's beginning. */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const root = fromMarkdown(text, { extensions, mdastExtensions });
  const [first] = root.children;
  return { tree: root, yaml: first?.type === "yaml" ? first : undefined };
}
