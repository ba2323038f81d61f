import type { Nodes, Root } from "hast";
import { raw } from "hast-util-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { AppError } from "#core/errors.ts";
import { remarkAlerts } from "./alerts.ts";
import { rehypeLinks } from "./rehype-links.ts";
import { schema } from "./sanitise-schema.ts";

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

/**
 * Markdown as sanitised HTML, ready to be put into a page. Sanitising is the last step (research security.md F8).
 * Throws `unprocessable` where the text can't be parsed.
 */
export function renderHtml(markdown: string): string {
  try {
    return String(processor.processSync(markdown));
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}

/** Raw HTML is parsed only where there is some: it costs more than all the rest. */
function rawHtml(): (tree: Root) => Root {
  return (tree) => (hasRaw(tree) ? (raw(tree) as Root) : tree);
}

function hasRaw(node: Nodes): boolean {
  return node.type === "raw" || ("children" in node && node.children.some(hasRaw));
}
