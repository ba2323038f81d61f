import type { Element, Nodes, Root } from "hast";
import { assetUrl, safeHref } from "../links.ts";
import { descendantsNamed, textProperty } from "./elements.ts";
import { inputSchema } from "./schema.ts";

/** Collects what a conversion drops or changes: each kind of loss once, with its count and a few examples. */
export interface Losses {
  add(what: string, example?: string): void;
  lines(): string[];
}

const harmless = new Set(
  (
    "html head body meta link title wbr colgroup col font small big label base style bdi tbody address form fieldset " +
    "legend hgroup search menu dir map picture source param track data time output optgroup option nobr rp rb rtc " +
    "input select textarea datalist noscript template dialog svg math " +
    "ruby rt video audio iframe embed object canvas"
  ).split(" "),
);

export function createLosses(): Losses {
  const found = new Map<string, { times: number; examples: Set<string> }>();
  return {
    add(what, example) {
      const kind = found.get(what) ?? { times: 0, examples: new Set() };
      kind.times += 1;
      if (example !== undefined && kind.examples.size < 3) kind.examples.add(shortenedLine(example));
      found.set(what, kind);
    },
    lines: () =>
      [...found].map(([what, { times, examples }]) => {
        const count = times === 1 ? what : `${what} (${times} times)`;
        return examples.size === 0 ? count : `${count}: ${[...examples].join(", ")}`;
      }),
  };
}

function shortenedLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** Walks the original HTML and notes what Markdown will not keep. */
export function findLosses(root: Root, losses: Losses): void {
  const noteLosses = (node: Nodes): void => {
    if (node.type === "element") {
      noteElementLosses(node, losses);
      // Drawings and formulas are reported as a whole.
      if (node.tagName === "svg" || node.tagName === "math") return;
    }
    if ("children" in node) node.children.forEach(noteLosses);
  };
  noteLosses(root);
}

function noteElementLosses(node: Element, losses: Losses): void {
  const { tagName, properties } = node;
  // Word's own elements (`o:p`) only surround words.
  if (!inputSchema.tagNames?.includes(tagName) && !harmless.has(tagName) && !tagName.includes(":")) {
    const withContent = inputSchema.strip?.includes(tagName);
    losses.add(withContent ? `<${tagName}> was removed` : `<${tagName}> was removed, its text kept`);
  }
  if (properties["style"] !== undefined) losses.add("style attributes were removed");
  if (Object.keys(properties).some((name) => /^on/i.test(name))) losses.add("event handlers were removed");
  const { href, title } = properties;
  if (tagName === "a" && typeof href === "string" && safeHref(href) === undefined)
    losses.add("an unsafe link target was removed", href);
  if ((tagName === "abbr" || tagName === "dfn") && typeof title === "string" && title.trim() !== "")
    losses.add(`the explanation of <${tagName}> was removed`, title);
}

/**
 * Images that aren't stored on this server, which views show as links. @param isOther tells which addresses count; by
 * default, all
 */
export function linkedImages(page: Root, isOther: (address: string) => boolean = () => true): string[] {
  const losses = createLosses();
  for (const image of descendantsNamed(page, "img")) {
    const address = textProperty(image, "src");
    if (!assetUrl.test(address) && isOther(address))
      losses.add("an image that isn't stored here is shown as a link", address);
  }
  return losses.lines();
}
