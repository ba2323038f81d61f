/** Parses the XML of a Word file for `word.ts`, which checks the import. */
import type { ReadingToken } from "../markdown/html/reading.ts";

export interface WordXmlNode {
  name: string;
  attributes: Record<string, string>;
  children: WordXmlNode[];
  text: string;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeXmlReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(hex ?? decimal ?? "", hex ? 16 : 10))
      : (entities[name] ?? ""),
  );
}

export function emptyXmlNode(name: string): WordXmlNode {
  return { name, attributes: {}, children: [], text: "" };
}

export function parseXml(xml: string): WordXmlNode {
  const root = emptyXmlNode("");
  const open = [root];
  for (const [, close, name, attributes = "", empty, text] of xml.matchAll(
    /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<!--[^]*?-->|<[?!][^>]*>|([^<]+)/g,
  )) {
    const parent = open.at(-1) as WordXmlNode;
    if (text !== undefined) parent.text += decodeXmlReferences(text);
    else if (name === undefined) continue;
    else if (close === "/") {
      if (open.length > 1) open.pop();
    } else {
      const node = emptyXmlNode(name);
      for (const [, key = "", double, single = ""] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
        node.attributes[key] = decodeXmlReferences(double ?? single);
      parent.children.push(node);
      if (empty !== "/") open.push(node);
    }
  }
  return root;
}

export function findDescendants(node: WordXmlNode, ...names: string[]): WordXmlNode[] {
  return node.children.flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...findDescendants(child, ...names),
  ]);
}

export function childNamed(node: WordXmlNode | undefined, name: string): WordXmlNode | undefined {
  return node?.children.find((child) => child.name === name);
}

export function xmlAttribute(node: WordXmlNode | undefined, key = "w:val"): string | undefined {
  return node?.attributes[key];
}

export function isPropertyOn(node: WordXmlNode | undefined): boolean {
  return node !== undefined && !["0", "false", "off"].includes(xmlAttribute(node) ?? "1");
}

export function xmlNodeText(node: WordXmlNode): string {
  return node.text + node.children.map(xmlNodeText).join("");
}

/** Returns the elements with this name that are not inside another element with this name. */
export function outermostNamed(node: WordXmlNode, name: string): WordXmlNode[] {
  return node.children.flatMap((child) => (child.name === name ? [child] : outermostNamed(child, name)));
}

/** Chooses between the newer and the older form of an element: the form that contains words. */
export function chooseAlternativeContent(node: WordXmlNode): WordXmlNode[] {
  const [newer, older] = [childNamed(node, "mc:Choice"), childNamed(node, "mc:Fallback")];
  const shown = newer === undefined || (xmlNodeText(newer).trim() === "" && older !== undefined) ? older : newer;
  return shown?.children ?? [];
}

export interface WordReading {
  seen: ReadingToken[];
  /** Hidden words. `prompts` are the placeholder texts of empty form fields. */
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
export interface ParsedWordParts {
  styles: WordXmlNode;
  numbering: WordXmlNode;
  footnotes: WordXmlNode;
  endnotes: WordXmlNode;
  own: boolean;
  fromRight: boolean | undefined;
}
