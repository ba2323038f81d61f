/**
 * Gives the tree the structure of Markdown: marks (bold, links, …) only around words, blocks only in blocks, items only
 * in lists, and list numbers that count up by one.
 */
import type { Element, ElementContent, Root } from "hast";
import { element as create, descendantsNamed, isBlankNode, isElement, textProperty, nodeText } from "./elements.ts";
import { lossTexts, type Losses } from "./losses.ts";
import {
  blockNames,
  hasMarkdownBlock,
  isBlockElement,
  isEmptyPiece,
  isMarkdownBlock,
  edgesAsLineBreaks,
  isNotCode,
  wrapPiecesInMarks,
  groupWordsAndBlocks,
  type HtmlPiece,
} from "./pieces.ts";
import { isChecked, joinContinuedLists, splitListForMarkdown, taskCheckboxOf } from "./lists.ts";
import { inputSchema } from "./schema.ts";
import { cssValueOf, elementLookOf, type ClassRules } from "./styles.ts";

const markNames: Record<string, string> = {
  strong: "strong",
  b: "strong",
  em: "em",
  i: "em",
  del: "del",
  s: "del",
  strike: "del",
  sub: "sub",
  sup: "sup",
  kbd: "kbd",
  code: "code",
  a: "a",
};

interface StructurePlace {
  marks: readonly Element[];
  /** True in headings and header cells, which are always bold. */
  isBold: boolean;
  /** True inside a table, which may stay HTML. */
  inTable: boolean;
  inFigure: boolean;
}

/**
 * Makes a new tree with the same words. The given tree stays as it is.
 * @param losses gets a line for each kind of content that changes its form
 */
export function restructureHtml(page: Root, rules: ClassRules, losses: Losses): Root {
  const start: StructurePlace = { marks: [], isBold: false, inTable: false, inFigure: false };
  /** Checkboxes that made their list item a task. */
  const taken = new Set<Element>();
  return { type: "root", children: flowOf(page.children as ElementContent[], start) };

  function flowOf(nodes: readonly ElementContent[], place: StructurePlace): ElementContent[] {
    const made = joinContinuedLists(wrapPiecesInMarks(piecesOf(nodes, place)));
    const isNothing = (node: ElementContent): boolean => !isMarkdownBlock(node) && isBlankNode(node);
    if (!made.some((node) => isBlockElement(node) && isNothing(node))) return made;
    // An empty block still separates the lines around it.
    return groupWordsAndBlocks(made).flatMap((part) => {
      if (part.every(isNothing)) return [];
      return isBlockElement(part[0]) ? part : [create("p", {}, part)];
    });
  }

  function piecesOf(nodes: readonly ElementContent[], place: StructurePlace): HtmlPiece[] {
    const out: HtmlPiece[] = [];
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (node?.type === "text") out.push({ leaf: node, marks: place.marks });
      if (node?.type !== "element") continue;
      if (node.tagName === "li") {
        // Browsers show a bullet for items outside of a list.
        let end = index;
        while (belongsToList(nodes[end])) end += 1;
        out.push(...blockPieces(create("ul", {}, nodes.slice(index, end)), place));
        index = end - 1;
      } else if (blockNames.has(node.tagName)) out.push(...blockPieces(node, place));
      else out.push(...inlinePieces(node, place));
    }
    return out;
  }

  function inlinePieces(node: Element, place: StructurePlace): HtmlPiece[] {
    if (node.tagName === "br" || node.tagName === "img") return [{ leaf: node, marks: place.marks.filter(isNotCode) }];
    if (taken.has(node)) return [];
    if (node.tagName === "input")
      return [{ leaf: { type: "text", value: isChecked(node) ? " ☒ " : " ☐ " }, marks: place.marks }];
    if (node.tagName === "wbr" || inputSchema.strip?.includes(node.tagName)) return [];
    const inside = piecesOf(node.children, { ...place, marks: withMarks(node, place) });
    if (node.tagName === "q") {
      const quote: HtmlPiece = { leaf: { type: "text", value: '"' }, marks: place.marks };
      return [quote, ...inside, quote];
    }
    if (node.tagName === "a" && textProperty(node, "href") !== "" && inside.every(isEmptyPiece)) {
      const label = textProperty(node, "ariaLabel") || textProperty(node, "title");
      if (label.trim() === "") losses.add(lossTexts.wordlessLink(), textProperty(node, "href"));
      else return [{ leaf: { type: "text", value: label }, marks: withMarks(node, place) }];
    }
    return inside;
  }

  /** Returns the marks inside an element: those around the element, its own mark, and those that its style sets. */
  function withMarks(node: Element, place: StructurePlace): readonly Element[] {
    const name = markNames[node.tagName];
    const look = elementLookOf(node, rules);
    let marks = place.marks;
    const addMark = (tagName: string, properties: Element["properties"] = {}): void => {
      const isTwice =
        ["strong", "em", "del", "code"].includes(tagName) && marks.some((mark) => mark.tagName === tagName);
      // of nested links, only the inner one is kept
      if (tagName === "a") marks = marks.filter((mark) => mark.tagName !== "a");
      if (!isTwice) marks = [...marks, create(tagName, properties, [])];
    };
    if (name !== undefined && (name !== "a" || node.properties["href"] !== undefined)) addMark(name, node.properties);
    const isHeading = /^(?:h[1-6]|th)$/.test(node.tagName) || place.isBold;
    if (look.bold === true && !isHeading && !marks.some(({ tagName }) => tagName === "code")) addMark("strong");
    if (look.bold === false) marks = marks.filter(({ tagName }) => tagName !== "strong");
    if (look.italic === true) addMark("em");
    if (look.italic === false) marks = marks.filter(({ tagName }) => tagName !== "em");
    if (look.struck) addMark("del");
    if (look.shifted !== undefined) addMark(look.shifted);
    if (look.mono && !isHeading) addMark("code");
    return marks;
  }

  function blockPieces(node: Element, place: StructurePlace): HtmlPiece[] {
    const inside = { ...place, marks: withMarks(node, place) };
    const made = blockOf(node, inside);
    return groupWordsAndBlocks(made.length > 0 ? made : [create("p", {}, [])]).map((part): HtmlPiece => {
      const [first = node] = part;
      return { block: isBlockElement(first) ? first : create("p", {}, part) };
    });
  }

  function blockOf(node: Element, place: StructurePlace): ElementContent[] {
    switch (node.tagName) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return headingOf(node, place);
      case "p":
        return paragraphsOf(node, place);
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return listsOf(node, place);
      case "dl":
        return [definitionListOf(node, place)];
      case "pre":
      case "listing":
      case "xmp":
      case "plaintext":
        return codeOf(node, place);
      case "table":
        return place.inTable ? nestedTable(node, place) : tableOf(node, place);
      case "details":
        return [detailsOf(node, place)];
      case "figure":
        return [{ ...node, children: flowOf(node.children, { ...place, inFigure: true }) }];
      case "figcaption":
        return [create(place.inFigure ? "figcaption" : "div", {}, flowOrLines(node, place))];
      case "blockquote":
      case "hr":
      case "section":
        return [{ ...node, children: flowOf(node.children, place) }];
      default:
        return [create("div", node.properties, flowOf(node.children, place))];
    }
  }

  /** Joins words and simple blocks into one line with breaks. Other blocks stay between the lines. */
  function linesOf(nodes: readonly ElementContent[], place: StructurePlace): ElementContent[] {
    return wrapPiecesInMarks(edgesAsLineBreaks(asLines(flowOf(nodes, place))));
  }

  function flowOrLines(node: Element, place: StructurePlace): ElementContent[] {
    const made = flowOf(node.children, place);
    return made.some(hasMarkdownBlock) ? made : wrapPiecesInMarks(edgesAsLineBreaks(asLines(made)));
  }

  function detailsOf(node: Element, place: StructurePlace): Element {
    const summary = node.children.find((child): child is Element => isElement(child, "summary"));
    const rest = flowOf(
      node.children.filter((child) => child !== summary),
      place,
    );
    if (summary === undefined) return { ...node, children: rest };
    const title = linesOf(summary.children, { ...place, marks: withMarks(summary, place) });
    const words = title.filter((child) => !isMarkdownBlock(child));
    return { ...node, children: [{ ...summary, children: words }, ...title.filter(isMarkdownBlock), ...rest] };
  }

  function headingOf(node: Element, place: StructurePlace): ElementContent[] {
    const parts = groupWordsAndBlocks(linesOf(node.children, { ...place, isBold: true }));
    if (parts.some((part) => part.length === 1 && isMarkdownBlock(part[0]))) losses.add(lossTexts.headingContent());
    let isFirst = true;
    return parts.flatMap((part) => {
      if (isMarkdownBlock(part[0])) return part;
      const words = part.some((child) => nodeText(child).trim() !== "");
      if (!words && part.every(isBlankNode)) return [];
      const name = words && isFirst ? node.tagName : "p";
      if (words) isFirst = false;
      return name === "p" ? [create("p", {}, part)] : [create(name, node.properties, part.flatMap(withoutBreaks))];
    });
  }

  function paragraphsOf(node: Element, place: StructurePlace): ElementContent[] {
    return groupWordsAndBlocks(flowOf(node.children, place)).flatMap((part) =>
      isMarkdownBlock(part[0]) || isBlockElement(part[0]) ? part : [{ ...node, children: part }],
    );
  }

  function listsOf(node: Element, place: StructurePlace): ElementContent[] {
    const { before, lists } = splitListForMarkdown(node, losses);
    const made = lists.map((one) => ({
      ...one,
      children: one.children.flatMap((item) => (item.type === "element" ? [listItem(item, place)] : [])),
    }));
    return [...paragraphsOf(create("p", {}, before), place), ...made];
  }

  function listItem(item: Element, place: StructurePlace): Element {
    const marks = withMarks(item, place);
    const ticked = place.inTable ? undefined : taskCheckboxOf(item);
    if (ticked !== undefined) taken.add(ticked);
    const box =
      ticked === undefined
        ? []
        : [create("input", { type: "checkbox", disabled: true, checked: isChecked(ticked) }, [])];
    // Google Docs copies the text of each item as a paragraph, which must not become one.
    const content = item.children.flatMap((child) =>
      isElement(child, "p") && textProperty(child, "role") === "presentation"
        ? [create("span", child.properties, child.children)]
        : [child],
    );
    return { ...item, children: [...box, ...flowOf(content, { ...place, marks })] };
  }

  /**
   * Turns terms and their explanations into a list; inside a table into paragraphs, because views show no lists of
   * terms.
   */
  function definitionListOf(node: Element, place: StructurePlace): Element {
    const isRow = (child: ElementContent): boolean => isElement(child, "dt") || isElement(child, "dd");
    const parts = node.children.flatMap((child) =>
      isElement(child, "div") && child.children.some(isRow) ? child.children : [child],
    );
    const rows: Element[] = [];
    let loose: Element | undefined;
    for (const part of parts) {
      if (isRow(part)) rows.push(part as Element);
      else if (loose === undefined) rows.push((loose = create("dd", {}, [part])));
      else loose.children.push(part);
      if (isRow(part)) loose = undefined;
    }
    const made = rows.flatMap((row) => {
      const children = flowOf(row.children, { ...place, marks: withMarks(row, place) });
      return children.every(isBlankNode) ? [] : [create(place.inTable ? "div" : row.tagName, {}, children)];
    });
    return create(place.inTable ? "div" : "dl", {}, made);
  }

  function codeOf(node: Element, place: StructurePlace): ElementContent[] {
    const code = preText(node);
    const classes = [node, ...node.children]
      .flatMap((child) =>
        child.type === "element" ? ((child.properties["className"] as string[] | undefined) ?? []) : [],
      )
      .find((name) => name.startsWith("language-"));
    const images = imagesInElement(node);
    const made = create("pre", {}, [
      create("code", classes === undefined ? {} : { className: [classes] }, [{ type: "text", value: code }]),
    ]);
    return [
      made,
      ...images.map((image) =>
        create("p", {}, wrapPiecesInMarks([{ leaf: image, marks: place.marks.filter(isNotCode) }])),
      ),
    ];
  }

  /** Returns the text of code without marks. Reports a dropped mark if it can change the code's meaning. */
  function preText(node: Element): string {
    let out = "";
    for (const child of node.children) {
      if (child.type === "text") out += child.value;
      if (child.type !== "element") continue;
      if (child.tagName === "br") out += "\n";
      else if (child.tagName === "input") out += isChecked(child) ? " ☒ " : " ☐ ";
      else {
        if (child.tagName === "a" && textProperty(child, "href") !== "") losses.add(lossTexts.codeLink());
        if (child.tagName === "sup" || child.tagName === "sub") losses.add(lossTexts.codeRaised(), nodeText(child));
        const inner = preText(child);
        const isLine = blockNames.has(child.tagName);
        if (isLine && out !== "" && !out.endsWith("\n")) out += "\n";
        out += inner;
        if (isLine && inner !== "" && !inner.endsWith("\n") && child !== node.children.at(-1)) out += "\n";
      }
    }
    return out;
  }

  function tableOf(node: Element, place: StructurePlace): ElementContent[] {
    const rows = rowsInBrowserOrder(node);
    const captions = node.children.filter((child): child is Element => isElement(child, "caption"));
    const cells = rows.flatMap(({ row }) => cellsOfRow(row));
    const [only] = cells;
    if (cells.length <= 1 && (only === undefined || descendantsNamed(only, "table").length > 0)) {
      if (only !== undefined) losses.add(lossTexts.oneCell());
      return [...captions, ...cells].flatMap((part) => paragraphsOf(create("p", {}, part.children), place));
    }
    const inside = { ...place, inTable: true };
    const made = rows.map(({ row, group }) => ({
      group,
      row: {
        ...row,
        children: cellsOfRow(row).map((one) => restructureCell(one, { ...inside, marks: withMarks(row, inside) })),
      },
    }));
    const groups = ["thead", "tbody", "tfoot"].flatMap((name) => {
      const own = made.filter(({ group }) => group === name).map(({ row }) => row);
      return own.length === 0 ? [] : [create(name, {}, own)];
    });
    const title = captions.map((caption) => ({ ...caption, children: linesOf(caption.children, inside) }));
    return [{ ...node, children: [...title, ...groups] }];
  }

  function restructureCell(node: Element, place: StructurePlace): Element {
    const align = cssValueOf(textProperty(node, "style"), "text-align");
    const properties = { ...node.properties };
    if (/^(?:left|right|center)$/.test(align) && properties["align"] === undefined) properties["align"] = align;
    const within = { ...place, marks: withMarks(node, place), isBold: node.tagName === "th" };
    return { ...node, properties, children: flowOrLines(node, within) };
  }

  /** Turns each row of a table inside a cell into a line. */
  function nestedTable(node: Element, place: StructurePlace): ElementContent[] {
    losses.add(lossTexts.innerTable());
    const captions = node.children.filter((child): child is Element => isElement(child, "caption"));
    const rows = rowsInBrowserOrder(node).map(({ row }) =>
      cellsOfRow(row).flatMap((one, index): ElementContent[] => {
        const words = linesOf(one.children, { ...place, marks: withMarks(one, place) });
        return [...(index === 0 ? [] : [{ type: "text", value: " · " } as const]), ...words.flatMap(withoutBreaks)];
      }),
    );
    return [...captions.map((caption) => linesOf(caption.children, place)), ...rows].flatMap((line) =>
      groupWordsAndBlocks(line).flatMap((part) => (isMarkdownBlock(part[0]) ? part : [create("p", {}, part)])),
    );
  }
}

function belongsToList(node: ElementContent | undefined): boolean {
  return node?.type === "element" ? node.tagName === "li" : node !== undefined && isBlankNode(node);
}

function withoutBreaks(node: ElementContent): ElementContent[] {
  if (node.type !== "element" || isMarkdownBlock(node)) return [node];
  if (node.tagName === "br") return [{ type: "text", value: " " }];
  return [{ ...node, children: node.children.flatMap(withoutBreaks) }];
}

/** Splits paragraphs and other simple blocks into words and the edges between lines. */
function asLines(nodes: readonly ElementContent[]): HtmlPiece[] {
  return nodes.flatMap((node): HtmlPiece[] => {
    if (isMarkdownBlock(node)) return [{ block: node }];
    if (node.type !== "element" || !isBlockElement(node)) return [{ leaf: node, marks: [] }];
    return ["edge", ...asLines(node.children), "edge"];
  });
}

interface HtmlTableRow {
  row: Element;
  group: "thead" | "tbody" | "tfoot";
}

/** The rows in the order in which browsers show them. */
function rowsInBrowserOrder(node: Element): HtmlTableRow[] {
  const rows: HtmlTableRow[] = [];
  const collectRows = (parent: Element, name: HtmlTableRow["group"]): void => {
    for (const child of parent.children) {
      if (child.type !== "element") continue;
      if (child.tagName === "tr") rows.push({ row: child, group: name });
      else if (/^t(?:head|body|foot)$/.test(child.tagName)) collectRows(child, child.tagName as HtmlTableRow["group"]);
    }
  };
  collectRows(node, "tbody");
  return ["thead", "tbody", "tfoot"].flatMap((name) => rows.filter((row) => row.group === name));
}

function cellsOfRow(row: Element | undefined): Element[] {
  return (row?.children ?? []).filter((child): child is Element => isElement(child, "td") || isElement(child, "th"));
}

function imagesInElement(parent: Element): Element[] {
  return parent.children.flatMap((child) =>
    child.type !== "element" ? [] : child.tagName === "img" ? [child] : imagesInElement(child),
  );
}
