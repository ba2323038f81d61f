import { escapeBetweenTags } from "../../text/escape-html.ts";
import { decodeXmlEntities, xmlTags } from "./xml-tags.ts";

/** An element of an XML part. Its text keeps the entities of the part. */
export interface XmlElement {
  name: string;
  /** The attributes as written, with the space before the first one. */
  attributes: string;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

/** Parses a part into a tree below a root without a name. Comments and processing instructions are text. */
export function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: "", attributes: "", children: [] };
  const open = [root];
  let done = 0;
  for (const { name, kind, attributes, start, end } of xmlTags(xml)) {
    const parent = open.at(-1) as XmlElement;
    if (start > done) parent.children.push(xml.slice(done, start));
    done = end;
    if (kind === "end") {
      if (open.length > 1) open.pop();
      continue;
    }
    const element: XmlElement = { name, attributes, children: [] };
    parent.children.push(element);
    if (kind === "start") open.push(element);
  }
  if (done < xml.length) (open.at(-1) as XmlElement).children.push(xml.slice(done));
  return root;
}

/** Writes a tree of `parseXml` as XML. @throws RangeError for a tree that is nested too deeply */
export function writeXml({ children }: XmlElement): string {
  const out: string[] = [];
  const writeNodes = (nodes: readonly XmlNode[]): void => {
    for (const node of nodes) {
      if (typeof node === "string") out.push(node);
      else if (node.children.length === 0) out.push(`<${node.name}${node.attributes}/>`);
      else {
        out.push(`<${node.name}${node.attributes}>`);
        writeNodes(node.children);
        out.push(`</${node.name}>`);
      }
    }
  };
  writeNodes(children);
  return out.join("");
}

export function isXmlElement(node: XmlNode | undefined, ...names: readonly string[]): node is XmlElement {
  return typeof node === "object" && (names.length === 0 || names.includes(node.name));
}

export function createXmlElement(name: string, attributes = "", children: XmlNode[] = []): XmlElement {
  return { name, attributes: attributes === "" ? "" : ` ${attributes}`, children };
}

export function childElement({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((node): node is XmlElement => isXmlElement(node, name));
}

/**
 * Returns the elements with these names inside another one, in order. @param closed names of elements whose content is
 * skipped
 */
export function descendantElements(
  parent: XmlElement,
  names: readonly string[],
  closed: readonly string[] = [],
): XmlElement[] {
  const found: XmlElement[] = [];
  for (const node of parent.children) {
    if (typeof node === "string") continue;
    if (names.includes(node.name)) found.push(node);
    if (!closed.includes(node.name)) found.push(...descendantElements(node, names, closed));
  }
  return found;
}

/** Returns the decoded value of an attribute; undefined if the attribute is missing. */
export function attributeValueOf(element: XmlElement | undefined, name = "w:val"): string | undefined {
  if (element === undefined) return undefined;
  for (const [, key, double, single] of element.attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (key === name) return decodeXmlEntities(double ?? single ?? "");
  }
  return undefined;
}

/** Tells whether a property such as `w:b` is on. An element without a value means that it is on. */
export function isPropertyOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !/^(?:0|false|off|none)$/.test(attributeValueOf(element) ?? "");
}

/** Returns the text of an element and everything inside it. */
export function xmlText(element: XmlElement): string {
  return element.children.map((node) => (typeof node === "string" ? decodeXmlEntities(node) : xmlText(node))).join("");
}

/** Creates a text element for a Word run. */
export function wordTextElement(text: string): XmlElement {
  return createXmlElement("w:t", 'xml:space="preserve"', [escapeBetweenTags(text)]);
}
