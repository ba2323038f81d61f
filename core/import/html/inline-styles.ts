import type { Element, ElementContent, Root } from "hast";
import { classesOf, eachElement, element, property } from "./elements.ts";

const marks = [
  { tag: "strong", pattern: /font-weight\s*:\s*(?:bold|bolder|[6-9]00)\b/i },
  { tag: "em", pattern: /font-style\s*:\s*(?:italic|oblique)/i },
  { tag: "del", pattern: /text-decoration[\w-]*\s*:[^;]*line-through/i },
  { tag: "sub", pattern: /vertical-align\s*:\s*sub/i },
  { tag: "sup", pattern: /vertical-align\s*:\s*super/i },
] as const;

const mono = /font-family\s*:[^;]*(?:monospace|courier|consolas|"?roboto mono)/i;
const already = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "th", "strong", "b", "em", "i", "pre", "code"]);

/**
 * Web editors write bold and italic as styles, some through classes of a style sheet in the page (Google Docs). Reads
 * only `<span>` and `<font>`: styles of a whole block are decoration.
 */
export function mapInlineStyles(root: Root, sheet: string): void {
  const rules = classRules(sheet);
  const inside = (parent: Root | Element, inCell: boolean): void => {
    for (const node of parent.children) {
      if (node.type !== "element") continue;
      const style = styleOf(node, rules);
      inside(node, inCell || (already.has(node.tagName) && node.tagName !== "em" && node.tagName !== "i"));
      if (node.tagName !== "span" && node.tagName !== "font") continue;
      for (const { tag, pattern } of marks) {
        if (!pattern.test(style) || (tag === "strong" && inCell)) continue;
        node.children = [element(tag, {}, node.children as ElementContent[])];
      }
      if (mono.test(style) && !inCell) node.children = [element("code", {}, node.children)];
    }
  };
  inside(root, false);
  // Google Docs copies its text into <b style="font-weight:normal">, which marks nothing
  eachElement(root, (node) => {
    if (node.tagName === "b" && /font-weight\s*:\s*(?:normal|400)/i.test(property(node, "style")))
      node.tagName = "span";
  });
}

function styleOf(node: Element, rules: ReadonlyMap<string, string>): string {
  const own = property(node, "style");
  return [...classesOf(node).map((name) => rules.get(name) ?? ""), own].join(";");
}

/** `.c1{…}` and `.c1,.c2{…}`: rules of single classes, no others. */
function classRules(sheet: string): Map<string, string> {
  const rules = new Map<string, string>();
  for (const [, selectors = "", body = ""] of sheet.slice(0, 1_000_000).matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(",")) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name !== undefined) rules.set(name, `${rules.get(name) ?? ""};${body}`);
    }
  }
  return rules;
}
