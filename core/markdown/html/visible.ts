import type { Element, ElementContent, Root, Text } from "hast";
import { element, descendantsNamed, findElement, hasClass, isElement, textProperty, nodeText } from "./elements.ts";
import { lossTexts, shortenedLine, type Losses } from "./losses.ts";
import { cssValueOf, isHidden } from "./styles.ts";

/**
 * Turns everything that a browser shows as words into words: form fields, formulas, drawings, ruby text. Removes what
 * it doesn't show. Checkboxes stay `<input>`.
 */
export function keepVisibleContent(root: Root, losses: Losses): void {
  const base = descendantsNamed(root, "base").map((node) => textProperty(node, "href"))[0];
  /**
   * The last character so far. `isField` is true if it belongs to a form field, which is separate from words around it.
   */
  let end = "";
  let isField = false;
  const asShownByWord = (node: Element): void => {
    const style = textProperty(node, "style");
    if (style === "") return;
    const inline = ["span", "label", "font"].includes(node.tagName);
    if (inline && /^(?:block|flex|grid|table|list-item|flow-root)/.test(cssValueOf(style, "display")))
      node.tagName = "div";
    if (/^(?:pre|break-spaces)/.test(cssValueOf(style, "white-space")) && node.tagName !== "pre") breakLines(node);
  };
  const addText = (node: Text): void => {
    if (isField && wordSign.test(node.value)) node.value = ` ${node.value}`;
    if (node.value !== "") [end, isField] = [node.value.slice(-1), false];
  };
  const showChildren = (parent: Root | Element): void => {
    parent.children = (parent.children as ElementContent[]).flatMap((node): ElementContent[] => {
      if (node.type === "text") addText(node);
      if (node.type !== "element") return node.type === "text" ? [node] : [];
      if (isHidden(node)) {
        if (nodeText(node).trim() !== "") losses.add(lossTexts.hiddenText(), nodeText(node));
        return [];
      }
      const shown = elementAsShown(node, losses);
      if (shown !== undefined && isFilledFormField(node, shown)) {
        const gap = wordSign.test(end) ? textNodes(" ") : [];
        const value = nodeText({ type: "root", children: shown });
        if (value !== "") [end, isField] = [value.slice(-1), true];
        return [...gap, ...shown];
      }
      if (shown !== undefined) {
        const value = nodeText({ type: "root", children: shown });
        if (value !== "") [end, isField] = [value.slice(-1), false];
        for (const part of shown) if (isElement(part, "span")) showChildren(part);
        return shown;
      }
      if (base !== undefined) resolveAddress(node, base);
      asShownByWord(node);
      const isButton = node.tagName === "button";
      const gap = isButton && wordSign.test(end) ? textNodes(" ") : [];
      showChildren(node);
      if (isButton) isField = true;
      return [...gap, node];
    });
  };
  showChildren(root);
}

/** Turns line ends of a text into breaks, if the style shows them. */
function breakLines(node: Element): void {
  node.children = node.children.flatMap((child): ElementContent[] => {
    if (child.type !== "text" || child.value.trim() === "") return [child];
    const lines = child.value.replace(/^\n|\n$/g, "").split("\n");
    return lines.flatMap((line, index) =>
      index === 0 ? textNodes(line) : [element("br", {}, []), ...textNodes(line)],
    );
  });
}

const wordSign = /^[\p{L}\p{N}_]/u;

/** Tells whether an element is a form field with a value. A checkbox isn't. */
function isFilledFormField({ tagName }: Element, shown: readonly ElementContent[]): boolean {
  if (!["input", "select", "textarea"].includes(tagName)) return false;
  return shown.some(({ type }) => type === "text");
}

const textNodes = (value: string): ElementContent[] => (value === "" ? [] : [{ type: "text", value }]);

function elementAsShown(node: Element, losses: Losses): ElementContent[] | undefined {
  switch (node.tagName) {
    case "input":
      return inputAsShown(node, losses);
    case "select":
      return selectAsShown(node, losses);
    case "textarea":
      return formFieldAsText(nodeText(node), losses);
    case "img":
      return imageAsAltText(node, losses);
    case "math":
      losses.add(lossTexts.formula());
      return formulaAsText(node);
    case "svg":
      losses.add(lossTexts.drawing());
      return drawingTextsOf(node);
    case "video":
    case "audio":
    case "iframe":
    case "embed":
    case "object":
    case "canvas":
      return mediaAsLink(node, losses);
    case "rp":
      return [];
    case "ruby":
      losses.add(lossTexts.readingAids());
      return rubyAsText(node);
    case "li":
      tickByRole(node);
      return undefined;
    default:
      // an element with the role of a checkbox becomes a checkbox, unless it contains one or is a checklist item
      if (textProperty(node, "role") !== "checkbox" && textProperty(node, "role") !== "radio") return undefined;
      if (descendantsNamed(node, "input").length > 0) return undefined;
      return [
        checkboxElement(node.properties["ariaChecked"] === "true"),
        ...textNodes(" "),
        element("span", {}, node.children),
      ];
  }
}

/** Creates a checkbox, which also replaces a radio button. */
function checkboxElement(checked: boolean): Element {
  return element("input", { type: "checkbox", disabled: true, ...(checked ? { checked: true } : {}) }, []);
}

function isAttributeSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function inputAsShown(node: Element, losses: Losses): ElementContent[] {
  const type = textProperty(node, "type").toLowerCase();
  const value = String(node.properties["value"] ?? "");
  switch (type) {
    case "checkbox":
    case "radio":
      return [checkboxElement(isAttributeSet(node.properties["checked"]))];
    case "hidden":
      losses.add(lossTexts.hiddenField(), value === "" ? undefined : value);
      return [];
    case "submit":
    case "reset":
    case "button":
      losses.add(lossTexts.button());
      return textNodes(value);
    case "image":
    case "file":
    case "password":
    case "color":
      losses.add(lossTexts.fieldType({ type }));
      return [];
    default:
      return formFieldAsText(value, losses);
  }
}

/** A form field without a value becomes a blank. */
function formFieldAsText(value: string, losses: Losses): ElementContent[] {
  if (value.trim() === "") {
    losses.add(lossTexts.emptyField());
    return textNodes("____");
  }
  losses.add(lossTexts.field());
  const lines = value.split("\n");
  return lines.flatMap((line, index) => (index === 0 ? textNodes(line) : [element("br", {}, []), ...textNodes(line)]));
}

function selectAsShown(node: Element, losses: Losses): ElementContent[] {
  const options = descendantsNamed(node, "option");
  const chosen = options.filter(({ properties }) => isAttributeSet(properties["selected"]));
  const isList = isAttributeSet(node.properties["multiple"]) || Number(node.properties["size"] ?? 1) > 1;
  const shown = isList ? chosen : [chosen.at(-1) ?? options[0]].filter((option) => option !== undefined);
  const others = options.filter((option) => !shown.includes(option)).map((option) => nodeText(option).trim());
  const value = shown.map((option) => nodeText(option).replace(/\s+/g, " ").trim()).join(", ");
  losses.add(
    lossTexts.dropDown(),
    others.some((option) => option !== "")
      ? lossTexts.chosen({ value: shortenedLine(value), others: shortenedLine(others.join(", "), 50) })
      : undefined,
  );
  return textNodes(value === "" ? "____" : value);
}

/** Replaces embedded media by a link to it. The element's content is meant for browsers that can't play the media. */
function mediaAsLink(node: Element, losses: Losses): ElementContent[] {
  const [source] = descendantsNamed(node, "source");
  const address =
    textProperty(node, "src") || textProperty(node, "data") || (source ? textProperty(source, "src") : "");
  if (!/^https?:\/\//i.test(address)) {
    losses.add(lossTexts.removed({ tag: node.tagName }), address || undefined);
    return [];
  }
  losses.add(lossTexts.mediaLink({ tag: node.tagName }), address);
  return [element("a", { href: address }, textNodes(address))];
}

function imageAsAltText(node: Element, losses: Losses): ElementContent[] | undefined {
  if (textProperty(node, "src").trim() !== "") return undefined;
  losses.add(lossTexts.noAddress(), textProperty(node, "alt") || undefined);
  return textNodes(textProperty(node, "alt"));
}

/** Adds the checkbox of a checklist item that Google Docs copied, where it is a role and an image. */
function tickByRole(item: Element): void {
  if (textProperty(item, "role") === "checkbox" && descendantsNamed(item, "input").length === 0) {
    item.children = item.children.filter(
      (child) => !(isElement(child, "img") && String(child.properties["ariaRoleDescription"]) === "checkbox"),
    );
    item.children.unshift(checkboxElement(item.properties["ariaChecked"] === "true"));
    delete item.properties["role"];
  } else if (
    hasClass(item, "task-list-item") &&
    findElement(item, ({ tagName }) => tagName === "input") === undefined
  ) {
    item.properties["className"] = [];
  }
}

/**
 * Writes a formula: `<mfrac>` becomes `(a)/(b)`, powers and indices become `<sup>` and `<sub>`, and other elements
 * their characters in order.
 */
function formulaAsText(node: ElementContent): ElementContent[] {
  if (node.type === "text") return textNodes(node.value.replace(/\s+/g, " "));
  if (node.type !== "element" || node.tagName.startsWith("annotation")) return [];
  const parts = node.children.filter((child) => child.type === "element").map(formulaAsText);
  const [first = [], second = [], third = []] = parts;
  const bracketed = (part: ElementContent[]) =>
    nodeText({ type: "root", children: part }).trim().length > 1
      ? [...textNodes("("), ...part, ...textNodes(")")]
      : part;
  switch (node.tagName) {
    case "mfrac":
      return [...bracketed(first), ...textNodes("/"), ...bracketed(second)];
    case "msup":
    case "mover":
      return [...first, element("sup", {}, second)];
    case "msub":
    case "munder":
      return [...first, element("sub", {}, second)];
    case "msubsup":
    case "munderover":
      return [...first, element("sub", {}, second), element("sup", {}, third)];
    case "msqrt":
      return [...textNodes("√("), ...parts.flat(), ...textNodes(")")];
    case "mroot":
      return [element("sup", {}, second), ...textNodes("√("), ...first, ...textNodes(")")];
    case "mtr":
    case "mlabeledtr":
      return [...parts.flat(), ...textNodes("; ")];
    case "mtd":
      return [...node.children.flatMap(formulaAsText), ...textNodes(" ")];
    case "mi":
    case "mn":
    case "mo":
    case "ms":
    case "mtext":
      return textNodes(nodeText(node).replace(/\s+/g, " ").trim());
    case "mspace":
      return textNodes(" ");
    default:
      return parts.flat();
  }
}

/** The texts of a drawing, separated by spaces. */
function drawingTextsOf(node: Element): ElementContent[] {
  const words: string[] = [];
  const collectTexts = (parent: Element): void => {
    for (const child of parent.children) {
      if (child.type !== "element" || ["title", "desc", "style", "script", "defs", "metadata"].includes(child.tagName))
        continue;
      const own = ["text", "foreignObject", "foreignobject"].includes(child.tagName)
        ? nodeText(child).replace(/\s+/g, " ").trim()
        : "";
      if (own !== "") words.push(own);
      else collectTexts(child);
    }
  };
  collectTexts(node);
  return textNodes(words.join(" "));
}

/** Writes ruby text behind its word: `漢<rt>kan</rt>` → `漢(kan)`. */
function rubyAsText(node: Element): ElementContent[] {
  const children = node.children.flatMap((child) => {
    if (child.type !== "element") return [child];
    if (child.tagName === "rp") return [];
    return child.tagName === "rt" ? [...textNodes("("), ...child.children, ...textNodes(")")] : [child];
  });
  return [element("span", {}, children)];
}

/** Resolves addresses from the page's `<base>`, if it has one. Addresses that begin with `#` are kept. */
function resolveAddress(node: Element, base: string): void {
  for (const name of ["href", "src"]) {
    const value = textProperty(node, name);
    if (value === "" || value.startsWith("#")) continue;
    const url = URL.parse(value, base);
    if (url !== null) node.properties[name] = url.href;
  }
}
