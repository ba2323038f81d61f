import type { Root, Yaml } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** A part of the dialect, with what a text must hold for it to matter: looking for what can't be there costs a third of the parse. */
interface Part {
  isIn(text: string): boolean;
  syntax: NonNullable<Options["extensions"]>[number];
  tree: NonNullable<Options["mdastExtensions"]>[number];
}

const marksOnly = /^[ \t>*+\d.)|:-]+$/gm;

/** Is there a line that could be a delimiter row, whatever quotes or lists it stands in? */
function mayHoldTable(text: string): boolean {
  return text.includes("-") && text.match(marksOnly)?.some((line) => /[|:]/.test(line) && line.includes("-")) === true;
}

// Only what some rule asks for: bare addresses, footnotes and struck-out text are text here, and cost nothing.
const parts: readonly Part[] = [
  {
    isIn: (text) => /^\uFEFF?---/.test(text),
    syntax: frontmatter(["yaml"]),
    tree: frontmatterFromMarkdown(["yaml"]),
  },
  { isIn: mayHoldTable, syntax: gfmTable(), tree: gfmTableFromMarkdown() },
  {
    isIn: (text) => /\[(?:[ \txX\r\n]|\r\n)\]/.test(text),
    syntax: gfmTaskListItem(),
    tree: gfmTaskListItemFromMarkdown(),
  },
];

/** A whole file as one tree: the front matter is its first node, positions count from the file's beginning. */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const needed = parts.filter(({ isIn }) => isIn(text));
  const root = fromMarkdown(text, {
    extensions: needed.map(({ syntax }) => syntax),
    mdastExtensions: needed.map(({ tree }) => tree),
  });
  const [first] = root.children;
  return { tree: root, yaml: first?.type === "yaml" ? first : undefined };
}
