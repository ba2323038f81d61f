import type { Root, Yaml } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";

// Bare addresses are links to readers, but no rule asks, and finding them costs most of the parse.
const noBareLinks = { disable: { null: ["emailAutolink", "protocolAutolink", "wwwAutolink"] } };
const syntax = [frontmatter(["yaml"]), gfm(), noBareLinks];
const tree = [
  frontmatterFromMarkdown(["yaml"]),
  gfmFromMarkdown().filter((extension) => extension.transforms === undefined),
];

/** A whole file as one tree: the front matter is its first node, positions count from the file's beginning. */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const root = fromMarkdown(text, { extensions: syntax, mdastExtensions: tree });
  const [first] = root.children;
  return { tree: root, yaml: first?.type === "yaml" ? first : undefined };
}
