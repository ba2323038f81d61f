import type { Nodes, Root, RootContent } from "mdast";
import { toString } from "mdast-util-to-string";
import { formatMarkdown, writeTree } from "#core/markdown/format.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";

/** A self-contained piece of a body: a heading, a paragraph, a whole list or table. */
export interface MarkdownBlock {
  /** Ids are `b1`, `b2`, … in the order of the text. */
  id: string;
  markdown: string;
}

/** A change that a model proposes: to replace or delete one block, or to insert text after it. */
export interface BlockEdit {
  op: "replace" | "insertAfter" | "delete";
  blockId: string;
  /** Empty for `delete`. */
  markdown: string;
}

export function numberedBlocksOf(body: string): MarkdownBlock[] {
  return parseMarkdown(body).children.map((node, index) => ({
    id: `b${index + 1}`,
    markdown: sourceOfNode(node, body),
  }));
}

/** Returns the body with the edits, in canonical form. Edits of unknown blocks are ignored. */
export function bodyAfterEdits(body: string, edits: readonly BlockEdit[]): string {
  const parts = numberedBlocksOf(body).flatMap(({ id, markdown }) => {
    const own = edits.filter(({ blockId }) => blockId === id);
    const replaced = own.find(({ op }) => op !== "insertAfter");
    const stays = replaced === undefined ? [markdown] : replaced.op === "delete" ? [] : [replaced.markdown];
    return [...stays, ...own.filter(({ op }) => op === "insertAfter").map((edit) => edit.markdown)];
  });
  return formatMarkdown(parts.join("\n\n"));
}

/**
 * Makes a model's Markdown safe: without HTML, comments and footnotes, and with only those images and addresses that
 * the old text had.
 */
export function sanitizedMarkdown(markdown: string, known: ReadonlySet<string>): string {
  const tree = parseMarkdown(markdown);
  const clean: Root = { type: "root", children: sanitizeAll(tree.children, known) };
  // parse the written text once more, because bare addresses only then become links
  const again = parseMarkdown(writeTree(clean));
  return formatMarkdown(writeTree({ type: "root", children: sanitizeAll(again.children, known) }));
}

/** Returns the addresses of all links and images in a text. */
export function linkAndImageAddressesOf(body: string): Set<string> {
  const found = new Set<string>();
  eachNode(parseMarkdown(body), (node) => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") found.add(node.url);
  });
  return found;
}

function sanitizeAll<Child extends RootContent>(children: readonly Child[], known: ReadonlySet<string>): Child[] {
  return children.flatMap((child) => sanitizeNode(child, known)) as Child[];
}

function sanitizeNode(node: RootContent, known: ReadonlySet<string>): RootContent[] {
  switch (node.type) {
    case "html":
    case "footnoteReference":
    case "footnoteDefinition":
      return [];
    case "definition":
      return known.has(node.url) ? [node] : [];
    case "image":
      return known.has(node.url) ? [node] : [{ type: "text", value: node.alt ?? "" }];
    case "link":
      return known.has(node.url) ? [node] : [{ type: "inlineCode", value: toString(node) }];
    default:
      return [withSanitizedChildren(node, known)];
  }
}

function withSanitizedChildren<Node extends Nodes>(node: Node, known: ReadonlySet<string>): Node {
  if (!("children" in node)) return node;
  return { ...node, children: sanitizeAll(node.children as RootContent[], known) };
}

function sourceOfNode(node: RootContent, body: string): string {
  return body.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
}
