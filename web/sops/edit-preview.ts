/**
 * The preview renders by the same steps as the server (`core/markdown/render.ts`; a test compares them), but raw HTML is
 * read by the browser's own parser: the server's would be the largest chunk of the application.
 */
import type { ElementContent, Nodes, Properties, Root } from "hast";
import { toHtml } from "hast-util-to-html";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { remarkAlerts } from "#core/markdown/alerts.ts";
import { rehypeLinks } from "#core/markdown/rehype-links.ts";
import { schema } from "#core/markdown/sanitise-schema.ts";
import { parseInert } from "../editor/paste-html.ts";

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

export function previewHtml(markdown: string): string {
  return String(processor.processSync(markdown));
}

function rawHtml(): (tree: Root) => Root {
  return (tree) => (hasRaw(tree) ? reparse(tree) : tree);
}

function hasRaw(node: Nodes): boolean {
  return node.type === "raw" || ("children" in node && node.children.some(hasRaw));
}

function reparse(tree: Root): Root {
  return { type: "root", children: childrenOf(parseInert(toHtml(tree, { allowDangerousHtml: true }))) };
}

function childrenOf(parent: Node): ElementContent[] {
  return [...parent.childNodes].flatMap((node): ElementContent[] => {
    if (node instanceof Text) return [{ type: "text", value: node.data }];
    if (!(node instanceof Element)) return [];
    return [{ type: "element", tagName: node.localName, properties: propertiesOf(node), children: childrenOf(node) }];
  });
}

/** The sanitiser knows attributes by their property names. */
const propertyNames: Record<string, string> = {
  colspan: "colSpan",
  rowspan: "rowSpan",
  "aria-describedby": "ariaDescribedBy",
};
const switches = new Set(["open", "checked", "disabled"]);

function propertiesOf(element: Element): Properties {
  const properties: Properties = {};
  for (const { name, value } of element.attributes) {
    if (name === "class") properties["className"] = value.split(/\s+/).filter(Boolean);
    else if (switches.has(name)) properties[propertyOf(name)] = true;
    else properties[propertyOf(name)] = value;
  }
  return properties;
}

function propertyOf(name: string): string {
  return propertyNames[name] ?? name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
