import type { Element, ElementContent, Root, Text } from "hast";
import { element, elementsOf, findElement, hasClass, isElement, property, textOf } from "./elements.ts";
import type { Losses } from "./losses.ts";
import { declared, isHidden } from "./styles.ts";

/**
 * Turns everything that a browser shows as words into words: form fields, formulas, drawings, ruby text. Removes what
 * it doesn't show. Checkboxes stay `<input>`.
 */
export function showContent(root: Root, losses: Losses): void {
  const base = elementsOf(root, "base").map((node) => property(node, "href"))[0];
  /**
   * The last character so far. `isField` tells whether it belongs to a form field, whose value is separate from the
   * words around it.
   */
  let end = "";
  let isField = false;
  const asShown = (node: Element): void => {
    const style = property(node, "style");
    if (style === "") return;
    const inline = ["span", "label", "font"].includes(node.tagName);
    if (inline && /^(?:block|flex|grid|table|list-item|flow-root)/.test(declared(style, "display")))
      node.tagName = "div";
    if (/^(?:pre|break-spaces)/.test(declared(style, "white-space")) && node.tagName !== "pre") breakLines(node);
  };
  const put = (node: Text): void => {
    if (isField && wordSign.test(node.value)) node.value = ` ${node.value}`;
    if (node.value !== "") [end, isField] = [node.value.slice(-1), false];
  };
  const walk = (parent: Root | Element): void => {
    parent.children = (parent.children as ElementContent[]).flatMap((node): ElementContent[] => {
      if (node.type === "text") put(node);
      if (node.type !== "element") return node.type === "text" ? [node] : [];
      if (isHidden(node)) {
        if (textOf(node).trim() !== "") losses.add("hidden text was left out", textOf(node));
        return [];
      }
      const shown = show(node, losses);
      if (shown !== undefined && isControl(node, shown)) {
        const gap = wordSign.test(end) ? text(" ") : [];
        const value = textOf({ type: "root", children: shown });
        if (value !== "") [end, isField] = [value.slice(-1), true];
        return [...gap, ...shown];
      }
      if (shown !== undefined) {
        const value = textOf({ type: "root", children: shown });
        if (value !== "") [end, isField] = [value.slice(-1), false];
        for (const part of shown) if (isElement(part, "span")) walk(part);
        return shown;
      }
      if (base !== undefined) resolveAddress(node, base);
      asShown(node);
      const isButton = node.tagName === "button";
      const gap = isButton && wordSign.test(end) ? text(" ") : [];
      walk(node);
      if (isButton) isField = true;
      return [...gap, node];
    });
  };
  walk(root);
}

/** Turns line ends of a text into breaks, if the style shows them. */
function breakLines(node: Element): void {
  node.children = node.children.flatMap((child): ElementContent[] => {
    if (child.type !== "text" || child.value.trim() === "") return [child];
    const lines = child.value.replace(/^\n|\n$/g, "").split("\n");
    return lines.flatMap((line, index) => (index === 0 ? text(line) : [element("br", {}, []), ...text(line)]));
  });
}

const wordSign = /^[\p{L}\p{N}_]/u;

/** Tells whether an element is a form field with a value. A checkbox isn't. */
function isControl({ tagName }: Element, shown: readonly ElementContent[]): boolean {
  if (!["input", "select", "textarea"].includes(tagName)) return false;
  return shown.some(({ type }) => type === "text");
}

const text = (value: string): ElementContent[] => (value === "" ? [] : [{ type: "text", value }]);

function show(node: Element, losses: Losses): ElementContent[] | undefined {
  switch (node.tagName) {
    case "input":
      return input(node, losses);
    case "select":
      return selected(node, losses);
    case "textarea":
      return field(textOf(node), losses);
    case "img":
      return image(node, losses);
    case "math":
      losses.add("a formula became text: check it");
      return formula(node);
    case "svg":
      losses.add("a drawing was removed, its words kept");
      return drawing(node);
    case "video":
    case "audio":
    case "iframe":
    case "embed":
    case "object":
    case "canvas":
      return media(node, losses);
    case "rp":
      return [];
    case "ruby":
      losses.add("reading aids above words are in brackets now");
      return ruby(node);
    case "li":
      tickByRole(node);
      return undefined;
    default:
      // The checkbox of a script, unless the element is an item of a checklist or contains a real checkbox.
      if (property(node, "role") !== "checkbox" && property(node, "role") !== "radio") return undefined;
      if (elementsOf(node, "input").length > 0) return undefined;
      return [box(node.properties["ariaChecked"] === "true"), ...text(" "), element("span", {}, node.children)];
  }
}

/** A checkbox, which also replaces a radio button. */
function box(checked: boolean): Element {
  return element("input", { type: "checkbox", disabled: true, ...(checked ? { checked: true } : {}) }, []);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function input(node: Element, losses: Losses): ElementContent[] {
  const type = property(node, "type").toLowerCase();
  const value = String(node.properties["value"] ?? "");
  switch (type) {
    case "checkbox":
    case "radio":
      return [box(isSet(node.properties["checked"]))];
    case "hidden":
      losses.add("a hidden form field was left out", value === "" ? undefined : value);
      return [];
    case "submit":
    case "reset":
    case "button":
      losses.add("a button was removed, its words kept");
      return text(value);
    case "image":
    case "file":
    case "password":
    case "color":
      losses.add(`a form field of type ${type} was left out`);
      return [];
    default:
      return field(value, losses);
  }
}

/** A form field without a value becomes a blank. */
function field(value: string, losses: Losses): ElementContent[] {
  if (value.trim() === "") {
    losses.add("an empty form field became ____");
    return text("____");
  }
  losses.add("a form field became its value as text");
  const lines = value.split("\n");
  return lines.flatMap((line, index) => (index === 0 ? text(line) : [element("br", {}, []), ...text(line)]));
}

function selected(node: Element, losses: Losses): ElementContent[] {
  const options = elementsOf(node, "option");
  const chosen = options.filter(({ properties }) => isSet(properties["selected"]));
  const isList = isSet(node.properties["multiple"]) || Number(node.properties["size"] ?? 1) > 1;
  const shown = isList ? chosen : [chosen.at(-1) ?? options[0]].filter((option) => option !== undefined);
  const others = options.filter((option) => !shown.includes(option)).map((option) => textOf(option).trim());
  const value = shown.map((option) => textOf(option).replace(/\s+/g, " ").trim()).join(", ");
  losses.add(
    "a drop-down list became its selected option",
    others.some((option) => option !== "") ? `${value} (not: ${others.join(", ")})` : undefined,
  );
  return text(value === "" ? "____" : value);
}

/** Replaces embedded media by a link to it. The element's content is meant for browsers that can't play the media. */
function media(node: Element, losses: Losses): ElementContent[] {
  const [source] = elementsOf(node, "source");
  const address = property(node, "src") || property(node, "data") || (source ? property(source, "src") : "");
  if (!/^https?:\/\//i.test(address)) {
    losses.add(`<${node.tagName}> was removed`, address || undefined);
    return [];
  }
  losses.add(`<${node.tagName}> became a link`, address);
  return [element("a", { href: address }, text(address))];
}

function image(node: Element, losses: Losses): ElementContent[] | undefined {
  if (property(node, "src").trim() !== "") return undefined;
  losses.add("an image without an address became its alternative text", property(node, "alt") || undefined);
  return text(property(node, "alt"));
}

/** Adds the checkbox of a checklist item that Google Docs copied, where it is a role and an image. */
function tickByRole(item: Element): void {
  if (property(item, "role") === "checkbox" && elementsOf(item, "input").length === 0) {
    item.children = item.children.filter(
      (child) => !(isElement(child, "img") && String(child.properties["ariaRoleDescription"]) === "checkbox"),
    );
    item.children.unshift(box(item.properties["ariaChecked"] === "true"));
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
function formula(node: ElementContent): ElementContent[] {
  if (node.type === "text") return text(node.value.replace(/\s+/g, " "));
  if (node.type !== "element" || node.tagName.startsWith("annotation")) return [];
  const parts = node.children.filter((child) => child.type === "element").map(formula);
  const [first = [], second = [], third = []] = parts;
  const within = (part: ElementContent[]) =>
    textOf({ type: "root", children: part }).trim().length > 1 ? [...text("("), ...part, ...text(")")] : part;
  switch (node.tagName) {
    case "mfrac":
      return [...within(first), ...text("/"), ...within(second)];
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
      return [...text("√("), ...parts.flat(), ...text(")")];
    case "mroot":
      return [element("sup", {}, second), ...text("√("), ...first, ...text(")")];
    case "mtr":
    case "mlabeledtr":
      return [...parts.flat(), ...text("; ")];
    case "mtd":
      return [...node.children.flatMap(formula), ...text(" ")];
    case "mi":
    case "mn":
    case "mo":
    case "ms":
    case "mtext":
      return text(textOf(node).replace(/\s+/g, " ").trim());
    case "mspace":
      return text(" ");
    default:
      return parts.flat();
  }
}

/** The texts of a drawing, separated by spaces. */
function drawing(node: Element): ElementContent[] {
  const words: string[] = [];
  const walk = (parent: Element): void => {
    for (const child of parent.children) {
      if (child.type !== "element" || ["title", "desc", "style", "script", "defs", "metadata"].includes(child.tagName))
        continue;
      const own = ["text", "foreignObject", "foreignobject"].includes(child.tagName)
        ? textOf(child).replace(/\s+/g, " ").trim()
        : "";
      if (own !== "") words.push(own);
      else walk(child);
    }
  };
  walk(node);
  return text(words.join(" "));
}

/** Writes ruby text behind its word: `漢<rt>kan</rt>` → `漢(kan)`. */
function ruby(node: Element): ElementContent[] {
  const children = node.children.flatMap((child) => {
    if (child.type !== "element") return [child];
    if (child.tagName === "rp") return [];
    return child.tagName === "rt" ? [...text("("), ...child.children, ...text(")")] : [child];
  });
  return [element("span", {}, children)];
}

/** Resolves addresses from the page's base, if it names one. Addresses of places on the page itself stay. */
function resolveAddress(node: Element, base: string): void {
  for (const name of ["href", "src"]) {
    const value = property(node, name);
    if (value === "" || value.startsWith("#")) continue;
    const url = URL.parse(value, base);
    if (url !== null) node.properties[name] = url.href;
  }
}
