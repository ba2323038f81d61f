import type { Element, Root } from "hast";
import { classesOf, descendantsNamed, textProperty, nodeText } from "./elements.ts";

/** The look that CSS gives the words of an element; undefined for a property that CSS doesn't set. */
export interface CssLook {
  bold: boolean | undefined;
  italic: boolean | undefined;
  struck: boolean;
  /** The tag for raised or lowered text. */
  shifted: "sub" | "sup" | undefined;
  mono: boolean;
}

/** Rules of single classes (`.c1{…}`), as Google Docs writes them. */
export type ClassRules = ReadonlyMap<string, string>;

/** The class rules of all style sheets in the tree. Rules for other media don't count. */
export function classRules(root: Root): ClassRules {
  const sheet = descendantsNamed(root, "style").map(nodeText).join("\n").slice(0, 1_000_000);
  const rules = new Map<string, string>();
  const plain = sheet.replace(/@media[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  for (const [, selectors = "", body = ""] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(",")) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name !== undefined) rules.set(name, `${rules.get(name) ?? ""};${body}`);
    }
  }
  return rules;
}

/**
 * Returns the value of a CSS property in a style attribute, in lower case; empty if it is missing. `mso-width` of Word
 * is another property than `width`.
 */
export function cssValueOf(style: string, name: string): string {
  let found = "";
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    if (declaration.slice(0, colon).trim().toLowerCase() === name) found = declaration.slice(colon + 1).trim();
  }
  return found.toLowerCase();
}

const monospaced = /monospace|courier|consolas|menlo|roboto mono/;

/**
 * The look that an element's style sets, such as bold and italic. A class only counts on `<span>` and `<font>`, because
 * on a block it is decoration.
 */
export function elementLookOf(node: Element, rules: ClassRules): CssLook {
  const isInline = node.tagName === "span" || node.tagName === "font";
  const own = textProperty(node, "style");
  const style = isInline ? [...classesOf(node).map((name) => rules.get(name) ?? ""), own].join(";") : own;
  if (style === "") return { bold: undefined, italic: undefined, struck: false, shifted: undefined, mono: false };
  const weight = cssValueOf(style, "font-weight");
  const slant = cssValueOf(style, "font-style");
  const align = isInline ? cssValueOf(style, "vertical-align") : "";
  return {
    bold: /^(?:bold|[6-9]00)/.test(weight) ? true : /^(?:normal|lighter|[1-4]00)/.test(weight) ? false : undefined,
    italic: /^(?:italic|oblique)/.test(slant) ? true : slant === "normal" ? false : undefined,
    struck: /line-through/.test(cssValueOf(style, "text-decoration") + cssValueOf(style, "text-decoration-line")),
    shifted: align.startsWith("sub") ? "sub" : align.startsWith("super") ? "sup" : undefined,
    mono: isInline && monospaced.test(cssValueOf(style, "font-family")),
  };
}

/** Tells whether an element's own attributes hide it and its content. */
export function isHidden(node: Element): boolean {
  const { hidden, open } = node.properties;
  if (hidden !== undefined && hidden !== null && hidden !== false) return true;
  if (node.tagName === "dialog" && open !== true && open !== "") return true;
  if (["datalist", "noscript", "template"].includes(node.tagName)) return true;
  const style = textProperty(node, "style");
  return (
    style !== "" &&
    (cssValueOf(style, "display") === "none" ||
      cssValueOf(style, "visibility") === "hidden" ||
      cssValueOf(style, "mso-hide") === "all")
  );
}
