/** Parses the XML of a Word file for the independent reader. */
import type { Seen } from "../markdown/html/reading.ts";

export interface Node {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? "", hex ? 16 : 10))
      : (entities[name] ?? ""),
  );
}

export function element(name: string): Node {
  return { name, attributes: {}, children: [], text: "" };
}

export function parse(xml: string): Node {
  const root = element("");
  const open = [root];
  for (const [, close, name, attributes = "", empty, text] of xml.matchAll(
    /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<!--[^]*?-->|<[?!][^>]*>|([^<]+)/g,
  )) {
    const parent = open.at(-1) as Node;
    if (text !== undefined) parent.text += decode(text);
    else if (name === undefined) continue;
    else if (close === "/") {
      if (open.length > 1) open.pop();
    } else {
      const node = element(name);
      for (const [, key = "", double, single = ""] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
        node.attributes[key] = decode(double ?? single);
      parent.children.push(node);
      if (empty !== "/") open.push(node);
    }
  }
  return root;
}

export function find(node: Node, ...names: string[]): Node[] {
  return node.children.flatMap((child) => [...(names.includes(child.name) ? [child] : []), ...find(child, ...names)]);
}

export function get(node: Node | undefined, name: string): Node | undefined {
  return node?.children.find((child) => child.name === name);
}

export function val(node: Node | undefined, key = "w:val"): string | undefined {
  return node?.attributes[key];
}

export function yes(node: Node | undefined): boolean {
  return node !== undefined && !["0", "false", "off"].includes(val(node) ?? "1");
}

export function textOf(node: Node): string {
  return node.text + node.children.map(textOf).join("");
}

/** The elements with this name that are not inside another one with this name. */
export function outermost(node: Node, name: string): Node[] {
  return node.children.flatMap((child) => (child.name === name ? [child] : outermost(child, name)));
}

/** Chooses between the newer and the older form of a part: the form that has words. */
export function alternative(node: Node): Node[] {
  const [newer, older] = [get(node, "mc:Choice"), get(node, "mc:Fallback")];
  const shown = newer === undefined || (textOf(newer).trim() === "" && older !== undefined) ? older : newer;
  return shown?.children ?? [];
}

export interface WordReading {
  seen: Seen[];
  /** Words that Word hides; `prompts` are the placeholder texts of empty form fields. */
  hidden: string[];
  prompts: string[];
}

/** Parts of a Word file as XML; an empty text for a part that the file lacks. */
export interface WordParts {
  document: string;
  styles: string;
  numbering: string;
  footnotes: string;
  endnotes: string;
}

/** The parsed parts, and facts about the file. */
export interface ReaderParts {
  styles: Node;
  numbering: Node;
  footnotes: Node;
  endnotes: Node;
  own: boolean;
  fromRight: boolean | undefined;
}
