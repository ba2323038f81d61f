/** Converts tables to the editor's form: a header row, rows of the same length, and cells with lines. */
import type { Element, ElementContent, Root } from "hast";
import {
  eachElement,
  element,
  descendantsNamed,
  isElement,
  textProperty,
  nodeText,
} from "#core/markdown/html/elements.ts";

export function convertTables(root: Root): void {
  eachElement(root, (table, parent, index) => {
    if (table.tagName !== "table") return;
    const rows = descendantsNamed(table, "tr").map(({ children }) =>
      children.filter((cell): cell is Element => isElement(cell, "td") || isElement(cell, "th")),
    );
    const title = table.children
      .filter((child) => isElement(child, "caption"))
      .map(nodeText)
      .join(" ")
      .trim();
    const grid = fillSpans(rows);
    // The editor reads a column's alignment from its header.
    const sides = (grid[0] ?? []).map((_, column) =>
      grid.reduce((side, cells) => side || textProperty(cells[column] ?? table, "align"), ""),
    );
    const made = grid.map((cells, at) => {
      const fitted = cells.map((cell, column) => convertCell(cell, at === 0 ? "th" : "td", sides[column] ?? ""));
      return element("tr", at === 0 ? { dataIsHeader: "true" } : {}, fitted);
    });
    const whole = { ...table, children: [element("tbody", {}, made)] };
    const caption = title === "" ? [] : [element("p", {}, [{ type: "text", value: title }])];
    const around = parent.type === "element" && parent.tagName === "div" && parent.children.length === 1;
    parent.children.splice(index, 1, ...caption, whole);
    // Google Docs wraps a table in a box, which isn't needed.
    if (around) parent.properties = {};
  });
}

/** Returns rows without spans: a cell that spans several is replaced by its words in the first cell and empty cells. */
function fillSpans(rows: readonly (readonly Element[])[]): Element[][] {
  const grid: Element[][] = rows.map(() => []);
  let width = 0;
  rows.forEach((cells, at) => {
    let column = 0;
    for (const cell of cells) {
      while (grid[at]?.[column]) column += 1;
      const across = clampedSpan(cell.properties["colSpan"]);
      const down = Math.min(clampedSpan(cell.properties["rowSpan"]), rows.length - at);
      for (let below = 0; below < down; below += 1) {
        for (let right = 0; right < across; right += 1) {
          const place = grid[at + below];
          if (place) place[column + right] = below + right === 0 ? cell : element("td", {}, []);
        }
      }
      // A column that only spanning cells cover is left out.
      width = Math.max(width, column + 1);
      column += across;
    }
  });
  return grid
    .filter((cells) => cells.length > 0)
    .map((cells) => Array.from({ length: width }, (_, column) => cells[column] ?? element("td", {}, [])));
}

const clampedSpan = (value: unknown): number => Math.min(Math.max(1, Number(value ?? 1) || 1), 1000);

function convertCell(cell: Element, name: "th" | "td", align: string): Element {
  return element(name, align === "" ? {} : { align }, cellContentInOneLine(cell));
}

const blocks = new Set(
  "p div section ul ol li dl dt dd h1 h2 h3 h4 h5 h6 pre blockquote figure figcaption details summary hr".split(" "),
);

/** Turns blocks and the text between them into one line with breaks, because a cell has no blocks. */
export function cellContentInOneLine(cell: Element): ElementContent[] {
  const lines: ElementContent[][] = [];
  let line: ElementContent[] = [];
  let sign = "";
  const endLine = (): void => {
    if (line.some((one) => nodeText(one).trim() !== "" || hasImage(one))) {
      lines.push(sign === "" ? line : [{ type: "text", value: sign }, ...line]);
      sign = "";
    }
    line = [];
  };
  const walkNodes = (nodes: readonly ElementContent[], signs: readonly string[] = []): void => {
    nodes.forEach((node, index) => {
      if (node.type === "comment") return;
      if (node.type !== "element") line.push(node);
      else if (node.tagName === "br") endLine();
      else if (!blocks.has(node.tagName)) line.push(node);
      else {
        endLine();
        if (node.tagName === "li") sign = signs[index] ?? (/^\s*[☐☑☒]/.test(nodeText(node)) ? "" : "• ");
        if (node.tagName === "pre") codeLines(node);
        else walkNodes(node.children, node.tagName === "ol" ? itemNumbersOf(node) : []);
        endLine();
        if (node.tagName === "li") sign = "";
      }
    });
  };
  const codeLines = (pre: Element): void => {
    for (const text of nodeText(pre).split("\n")) {
      line.push(element("code", {}, [{ type: "text", value: text }]));
      endLine();
    }
  };
  walkNodes(cell.children);
  endLine();
  return lines.flatMap((one, index) => (index === 0 ? one : [element("br", { dataHtml: "<br>" }, []), ...one]));
}

function itemNumbersOf(list: Element): string[] {
  let number = Number(list.properties["start"] ?? 1);
  return list.children.map((child) => (isElement(child, "li") ? `${number++}. ` : ""));
}

function hasImage(node: ElementContent): boolean {
  return node.type === "element" && (node.tagName === "img" || node.children.some(hasImage));
}
