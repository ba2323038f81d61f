import type { Root, Yaml } from "mdast";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { remark } from "remark";
import type { Data } from "unified";
import { textFile } from "#core/markdown/text-file.ts";
import { tableHeads, tableSyntax } from "./table-syntax.ts";

// Parses only the syntax that some rule needs, and only in texts that can contain it. Bare addresses, footnotes and
// struck-out text stay plain text. Looking for tables and tasks in vain costs a third of the parse.
const frontMatter = { syntax: frontmatter(["yaml"]), tree: frontmatterFromMarkdown(["yaml"]) };
const tasks = { syntax: gfmTaskListItem(), tree: gfmTaskListItemFromMarkdown() };
const tableTree = gfmTableFromMarkdown();

interface Part {
  syntax: NonNullable<Data["micromarkExtensions"]>[number];
  tree: NonNullable<Data["fromMarkdownExtensions"]>[number];
}

function partsFor(text: string): Part[] {
  const parts: Part[] = [];
  if (/^\uFEFF?---/.test(text)) parts.push(frontMatter);
  const heads = tableHeads(text);
  if (heads.size > 0) parts.push({ syntax: tableSyntax(heads), tree: tableTree });
  if (/\[(?:[ \txX\r\n]|\r\n)\]/.test(text)) parts.push(tasks);
  return parts;
}

/** A whole file as one tree: the front matter is its first node, positions count from the file's beginning. */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const parts = partsFor(text);
  const micromarkExtensions = parts.map(({ syntax }) => syntax);
  const fromMarkdownExtensions = parts.map(({ tree }) => tree);
  const root = remark().data({ micromarkExtensions, fromMarkdownExtensions }).parse(textFile(text));
  const [first] = root.children;
  return { tree: root, yaml: first?.type === "yaml" ? first : undefined };
}
