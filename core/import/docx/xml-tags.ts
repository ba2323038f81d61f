/** A start or end tag of an XML text, with its position. */
export interface XmlTag {
  name: string;
  attributes: string;
  kind: "start" | "end" | "empty";
  start: number;
  end: number;
}

const token =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

/** Yields every tag of an XML text in order. Text that is not a tag is skipped. */
export function* xmlTags(xml: string): Generator<XmlTag> {
  for (const match of xml.matchAll(token)) {
    const [text, slash, name, attributes = "", empty] = match;
    if (name === undefined) continue;
    const kind = slash === "/" ? "end" : empty === "/" ? "empty" : "start";
    yield { name, attributes, kind, start: match.index, end: match.index + text.length };
  }
}

/** Returns the value of an attribute; undefined if the attribute is missing. */
export function attributeOfTag({ attributes }: XmlTag, name: string): string | undefined {
  for (const [, key, double, single] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (key === name) return decodeXmlEntities(double ?? single ?? "");
  }
  return undefined;
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function decodeXmlEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (entity, decimal, hex, name) => {
    if (name !== undefined) return named[name as string] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** Returns the decoded texts of all elements with this name, in order; for elements without inner tags. */
export function elementTextsOf(xml: string, name: string): string[] {
  const texts: string[] = [];
  let from = -1;
  for (const tag of xmlTags(xml)) {
    if (tag.name !== name) continue;
    if (tag.kind === "start") from = tag.end;
    else if (tag.kind === "end" && from !== -1) {
      texts.push(decodeXmlEntities(xml.slice(from, tag.start)));
      from = -1;
    }
  }
  return texts;
}
