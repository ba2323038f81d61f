/** Checks the content of PDF and Word files: compares the blocks for the export with the HTML view of the text. */
import type { Element, ElementContent, Root } from "hast";
import type { ExportBlock, ExportInline } from "#core/export/blocks.ts";
import { parseHtml } from "#core/markdown/html-tree.ts";
import { paperLink } from "#core/markdown/links.ts";
import { notesOfChanges, differencesOfReadings } from "./compare.ts";
import { eachElement } from "#core/markdown/html/elements.ts";
import { readingOfHtml, type ReadingToken } from "../markdown/html/reading.ts";

/**
 * Returns warnings about differences between the printed page and the view, one for each kind.
 * @param html the sanitised HTML
 * @param blocks the blocks that were read from the HTML
 */
export function printWarnings(html: string, blocks: readonly ExportBlock[]): string[] {
  const view = parseHtml(html);
  const places = new Set<string>();
  eachElement(view, ({ properties: { id } }) => void places.add(String(id).replace("user-content-", "#")));
  const [before, after] = [view, htmlTreeOf(blocks)].map((tree) =>
    withoutLinksMissingOnPaper(readingOfHtml(tree, { noteNumbers: true }), places),
  );
  const changes = differencesOfReadings(before ?? [], after ?? []);
  return notesOfChanges(changes).map(({ sentence }) => `the paper differs from the view, ${sentence.text}`);
}

/**
 * Returns the tokens without links that paper leaves out: to a missing heading, or to an address inside the product.
 */
function withoutLinksMissingOnPaper(seen: readonly ReadingToken[], places: ReadonlySet<string>): ReadingToken[] {
  return seen.flatMap((one) => {
    if (!one.startsWith("a")) return [one];
    const address = one.slice(1);
    const leads = address.startsWith("#") ? places.has(address) : paperLink.test(address);
    return leads ? ["a"] : [];
  });
}

/** Writes blocks as HTML, to compare them with the view. Footnotes come last, as in the view. */
function htmlTreeOf(blocks: readonly ExportBlock[]): Root {
  const notes: Element[] = [];
  const element = (tagName: string, children: ElementContent[], properties: Element["properties"] = {}): Element => ({
    type: "element",
    tagName,
    properties,
    children,
  });

  function blockOf(node: ExportBlock): Element {
    switch (node.type) {
      case "paragraph":
      case "caption":
        return element("p", node.children.flatMap(inlinesOf));
      case "heading":
        return element(`h${node.level}`, node.children.flatMap(inlinesOf));
      case "list":
        return element(
          node.ordered ? "ol" : "ul",
          node.items.map(({ checked, children }) =>
            element("li", [
              ...(checked === null ? [] : [element("input", [], { type: "checkbox", checked: checked || undefined })]),
              ...children.map(blockOf),
            ]),
          ),
          { start: node.start },
        );
      case "table":
        return element(
          "table",
          node.rows.map(({ cells }) =>
            element(
              "tr",
              cells.map(({ columns, rows, children }) =>
                element("td", children.map(blockOf), { colSpan: columns, rowSpan: rows }),
              ),
            ),
          ),
        );
      case "code":
        return element("pre", [{ type: "text", value: node.text }]);
      case "quote":
        return element("blockquote", node.children.map(blockOf));
      case "alert":
        return element("div", node.children.map(blockOf), { className: ["alert", `alert-${node.kind}`] });
      case "details":
        return element("details", [element("summary", node.summary.flatMap(inlinesOf)), ...node.children.map(blockOf)]);
      case "rule":
        return element("hr", []);
    }
  }

  function inlinesOf(node: ExportInline): ElementContent[] {
    switch (node.type) {
      case "text":
      case "code":
        return [{ type: "text", value: node.text }];
      case "break":
        return [element("br", [])];
      case "image":
        return [element("img", [], { src: node.asset, alt: node.alt })];
      case "link":
        return [element("a", node.children.flatMap(inlinesOf), { href: node.url })];
      case "footnote":
        notes.push(element("li", node.children.map(blockOf)));
        return [element("sup", [{ type: "text", value: String(node.number) }])];
      case "footnote-again":
        return [element("sup", [{ type: "text", value: String(node.number) }])];
      default:
        return [element(node.type, node.children.flatMap(inlinesOf))];
    }
  }

  const children = blocks.map(blockOf);
  return { type: "root", children: notes.length === 0 ? children : [...children, element("ol", notes)] };
}
