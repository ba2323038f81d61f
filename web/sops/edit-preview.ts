/**
 * The preview renders by the same steps as the server (`core/markdown/render.ts`; a test compares them). Only the HTML
 * parser for raw HTML is loaded apart, when there is some: it is the larger half.
 */
import type { Nodes, Root } from "hast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { remarkAlerts } from "#core/markdown/alerts.ts";
import { rehypeLinks } from "#core/markdown/rehype-links.ts";
import { schema } from "#core/markdown/sanitise-schema.ts";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkAlerts)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rawHtml)
  .use(rehypeLinks)
  .use(rehypeSanitize, schema)
  .use(rehypeStringify)
  .freeze();

export async function previewHtml(markdown: string): Promise<string> {
  return String(await processor.process(markdown));
}

function rawHtml(): (tree: Root) => Promise<Root> {
  return async (tree) => {
    if (!hasRaw(tree)) return tree;
    const { raw } = await import("hast-util-raw");
    return raw(tree) as Root;
  };
}

function hasRaw(node: Nodes): boolean {
  return node.type === "raw" || ("children" in node && node.children.some(hasRaw));
}
