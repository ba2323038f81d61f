import type { Nodes, Root } from "hast";
import { raw } from "hast-util-raw";
import rehypeParse from "rehype-parse";
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

/** HTML as a browser reads it and would write it. */
const asRead = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, schema).use(rehypeStringify).freeze();

/** Each reading puts right what the one before moved, such as links within links; a few are enough. */
const readingsAtMost = 8;

/**
 * Markdown as sanitised HTML, ready to be put into a page. Sanitising is the last step (research security.md F8).
 * It reads the same alone and inside other elements.
 * @throws AppError `unprocessable` where the text can't be parsed
 */
export function renderHtml(markdown: string): string {
  try {
    const file = processor.processSync(markdown);
    return file.data["hasRawHtml"] === true ? settled(String(file)) : String(file);
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}

/**
 * The text that reading and writing leaves unchanged. Raw HTML can make a tree that no HTML text says: read inside a page, a
 * stray end tag would close an element of the page, and the rest of the document would be outside its article.
 */
function settled(html: string): string {
  let text = html;
  for (let reading = 0; reading < readingsAtMost; reading++) {
    const next = String(asRead.processSync(text));
    if (next === text) return text;
    text = next;
  }
  throw new AppError("unprocessable", "The HTML in the text is nested in a way that browsers don't agree on");
}

/** Raw HTML is parsed only where there is some: it costs more than all the rest. */
function rawHtml(): (tree: Root, file: { data: Record<string, unknown> }) => Root {
  return (tree, file) => {
    if (!hasRaw(tree)) return tree;
    file.data["hasRawHtml"] = true;
    return raw(tree) as Root;
  };
}

function hasRaw(node: Nodes): boolean {
  return node.type === "raw" || ("children" in node && node.children.some(hasRaw));
}
