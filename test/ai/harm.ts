/** Finds parts that a text must not have, whether a person or a model wrote it. */
import type { Element, Nodes } from "hast";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { renderHtml } from "#core/markdown/render.ts";

const harmless = new Set(
  "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr img input kbd li ol p pre s section span strong sub summary sup table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/**
 * Characters that would let readers and programs see different texts. Joiners are allowed, because some scripts need
 * them.
 */
export const invisibleCharacters =
  /(?![\n\t])[\p{Cc}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Elements, attributes and addresses of sanitized HTML that do more than show text. */
export function harmInHtml(html: string, known: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const look = (node: Nodes) => {
    if (node.type === "element") found.push(...harmInElement(node, known));
    if (node.type === "comment") found.push(`<!--${node.value}-->`);
    if ("children" in node) for (const child of node.children) look(child);
  };
  look(parseHtml(html));
  return found;
}

function harmInElement({ tagName, properties }: Element, known: ReadonlySet<string>): string[] {
  const found = harmless.has(tagName) ? [] : [`<${tagName}>`];
  for (const [name, value] of Object.entries(properties)) {
    if (/^on|^style$|^srcdoc$|^srcset$|^formaction$|^ping$/i.test(name)) found.push(`${tagName} ${name}`);
    const isAddress = name === "href" || name === "src" || name === "xLinkHref" || name === "action";
    const address = String(value);
    if (isAddress && !address.startsWith("#") && !known.has(address)) found.push(`${tagName} → ${address}`);
  }
  if (tagName === "img" && properties["src"] === undefined) found.push("img without src");
  return found;
}

/** HTML, comments, images and addresses in Markdown made from a model's answer, and their result on a page. */
export function harmInMarkdown(markdown: string, known: ReadonlySet<string>): string[] {
  const found: string[] = [];
  eachNode(parseMarkdown(markdown), (node) => {
    if (node.type === "html") found.push(`html ${node.value}`);
    if (node.type === "footnoteDefinition") found.push(`footnote ${node.identifier}`);
    if ((node.type === "link" || node.type === "image" || node.type === "definition") && !known.has(node.url))
      found.push(`${node.type} ${node.url}`);
  });
  if (invisibleCharacters.test(markdown)) found.push("invisible characters");
  return [...found, ...harmInHtml(renderHtml(markdown), known)];
}
