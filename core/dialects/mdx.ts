/** Reads blocks of MDX: `import`, `export`, comments, components. */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { alertKindForWord } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  detailsLines,
  indentedLines,
  keepAsFencedBlock,
  leadingSpaceOf,
  tabLines,
  omittedAttributesText,
  type ForeignBox,
} from "./boxes.ts";
import type { RecognizedBlock, Construct, ConstructPlace } from "./construct.ts";
import { parseAttributes } from "./directives.ts";
import { withoutSharedIndent, fencedLineFlags, isBlankLine, linesAsText, type SourceLine } from "../text/lines.ts";

const moduleStatement =
  /^(?:import[ \t]+(?:["'][^"']+["']|[\w*{][^]*?[ \t]from[ \t]+["'][^"']+["'])|import[ \t]+\{[ \t]*$|export[ \t]+(?:const|let|function|class|default|async|\*|\{))/;

export function readMdxModule(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const text = lines[index]?.text ?? "";
  if (!moduleStatement.test(text) || !isBlankLine(lines[index - 1]?.text ?? "")) return undefined;
  let end = index + 1;
  while (end < lines.length && (!isBlankLine(lines[end]?.text ?? "") || hasOpenBracket(lines.slice(index, end))))
    end += 1;
  const name = /^(?:import|export)(?:[ \t]+\w+)?/.exec(text)?.[0] ?? "import";
  return keepAsFencedBlock(place, end, { dialect: "mdx", name, code: "component" });
}

/** Tells whether fewer than 100 lines have more opening than closing brackets. */
function hasOpenBracket(lines: readonly SourceLine[]): boolean {
  const text = linesAsText(lines);
  const closes = (text.match(/[)}\]]/g) ?? []).length;
  return (text.match(/[({[]/g) ?? []).length > closes && lines.length < 100;
}

/** Turns an MDX comment into an HTML comment. Other expressions in braces on separate lines are kept as code. */
export function readMdxExpression(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  if (line === undefined || !/^[ \t]*\{(?:\/\*|[A-Za-z(`"'][^]*\}[ \t]*$|[A-Za-z(`"'][^}]*$)/.test(line.text))
    return undefined;
  const isComment = /^[ \t]*\{\/\*/.test(line.text);
  const pattern = isComment ? /\*\/\}[ \t]*$/ : /\}[ \t]*;?[ \t]*$/;
  const last = index + lines.slice(index, index + 200).findIndex(({ text }) => pattern.test(text));
  if (last < index || (!isComment && last > index && lines.slice(index, last).some(({ text }) => isBlankLine(text)))) {
    return undefined;
  }
  const end = last + 1;
  const inner = linesAsText(lines.slice(index, end))
    .trim()
    .replace(/^\{\/\*/, "")
    .replace(/\*\/\}$/, "");
  if (!isComment || inner.includes("--") || inner.startsWith(">") || /\n[ \t]*\n/.test(inner)) {
    const name = line.text.trim().slice(0, 40);
    return keepAsFencedBlock(place, end, { dialect: "mdx", name, code: "component" });
  }
  place.add({
    dialect: "mdx",
    name: texts.mdxComment({}),
    line: line.origin,
    outcome: "mapped",
    code: "comment",
    what: texts.comment(),
    source: `{/*${inner}*/}`,
  });
  const out = `${leadingSpaceOf(line.text)}<!--${inner}-->`
    .split("\n")
    .map((text) => ({ text, origin: line.origin, isOurs: true as const }));
  return { end, out: withBlankLineBelow(out, lines[end]) };
}

interface MdxElement {
  name: string;
  attributes: Map<string, string>;
  body: SourceLine[];
  end: number;
  origin: number;
  opening: string;
}

/**
 * Reads a component whose tags begin lines. @returns undefined if no component begins on this line; null if the
 * component has no end
 */
function componentAt(lines: readonly SourceLine[], index: number): MdxElement | null | undefined {
  const line = lines[index];
  const name = /^[ \t]*<([A-Z][\w.]*)(?=[\s/>]|$)/.exec(line?.text ?? "")?.[1];
  if (line === undefined || name === undefined) return undefined;
  const tag = findTagEnd(lines, index);
  if (tag === undefined) return null;
  const head = linesAsText(lines.slice(index, tag.line + 1)).trim();
  const written = head.slice(0, head.length - tag.rest.length);
  const base = {
    name,
    attributes: parseAttributes(written.slice(name.length + 1)),
    origin: line.origin,
    opening: written,
  };
  if (written.endsWith("/>")) return { ...base, body: [], end: tag.line + 1 };
  const rest = tag.rest.trim();
  const closing = `</${name}>`;
  if (rest.endsWith(closing)) {
    const text = rest.slice(0, -closing.length).trim();
    return { ...base, body: text === "" ? [] : [{ text, origin: line.origin }], end: tag.line + 1 };
  }
  const fenced = fencedLineFlags(lines);
  const again = new RegExp(`<${name}(?=[\\s/>]|$)(?![^>]*/>)`, "g");
  let depth = 1;
  for (let at = tag.line + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    if (fenced[at]) continue;
    depth += text.match(again)?.length ?? 0;
    depth -= text.split(closing).length - 1;
    if (depth > 0) continue;
    if (text.trim() !== closing) return null;
    const first = rest === "" ? [] : [{ text: rest, origin: line.origin }];
    return { ...base, body: [...first, ...withoutSharedIndent(lines.slice(tag.line + 1, at))], end: at + 1 };
  }
  return null;
}

/**
 * Finds the end of a tag that begins in this line; undefined without an end in 60 lines. Quotes and braces in the tag
 * can contain `>`.
 */
function findTagEnd(lines: readonly SourceLine[], index: number): { line: number; rest: string } | undefined {
  let quote = "";
  let braces = 0;
  for (let at = index; at < Math.min(lines.length, index + 60); at += 1) {
    const text = lines[at]?.text ?? "";
    for (let column = 0; column < text.length; column += 1) {
      const sign = text.charAt(column);
      if (quote !== "") quote = sign === quote ? "" : quote;
      else if (sign === '"' || sign === "'" || sign === "`") quote = sign;
      else if (sign === "{") braces += 1;
      else if (sign === "}") braces -= 1;
      else if (sign === ">" && braces === 0) return { line: at, rest: text.slice(column + 1) };
    }
  }
  return undefined;
}

/** Converts known components to Markdown and keeps others as code. */
export function readMdxComponent(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  if (place.searches.left <= 0) return undefined;
  const found = componentAt(lines, index);
  if (found === undefined) return undefined;
  const indent = leadingSpaceOf(lines[index]?.text ?? "");
  if (found === null) {
    place.searches.left -= 1;
    return undefined;
  }
  const mapped = mapMdxElement(place, found);
  if (mapped === undefined) {
    return keepAsFencedBlock(place, found.end, { dialect: "mdx", name: `<${found.name}>`, code: "component" });
  }
  place.add(componentConstruct(found, mapped.what, mapped.used));
  return { end: found.end, out: withBlankLineBelow(indentedLines(indent, mapped.out), lines[found.end]) };
}

function componentConstruct(
  { name, origin, attributes, opening }: MdxElement,
  what: MessageWithId,
  used: readonly string[],
): Construct {
  const code = alertKindForWord(name) === undefined ? "component" : "admonition";
  return {
    dialect: "mdx",
    name: opening.length > 60 || opening.includes("\n") ? `<${name}>` : opening,
    line: origin,
    outcome: "mapped",
    code,
    what: withOmitted(what, omittedAttributesText(attributes, used)),
    source: opening,
  };
}

interface MappedMdx {
  out: SourceLine[];
  what: MessageWithId;
  used: readonly string[];
}

function mapMdxElement(place: ConstructPlace, found: MdxElement): MappedMdx | undefined {
  const { name, attributes, body, origin } = found;
  if (hasComputedTitle(attributes)) return undefined;
  const own = alertKindForWord(name);
  if (own !== undefined || /^(?:Admonition|Callout|Alert)$/.test(name)) {
    const type = attributes.get("type") ?? attributes.get("kind") ?? "";
    const isNamed = own !== undefined && name !== "Aside";
    const kind = isNamed ? own : (alertKindForWord(type) ?? "NOTE");
    const word = isNamed ? name : alertKindForWord(type) && type;
    const out = alertLines(kind, { title: attributes.get("title"), word, body: place.convert(body), origin });
    return { out, what: texts.alert({ kind }), used: ["title", "type", "kind"] };
  }
  if (/^(?:Accordion|Details|Collapse|Expandable|Spoiler)$/.test(name) && attributes.has("title")) {
    const out = detailsLines({ title: attributes.get("title"), body: place.convert(body), origin }, false);
    return { out, what: texts.details(), used: ["title"] };
  }
  if (name === "Steps") return { out: place.convert(body), what: texts.content(), used: [] };
  return name === "Tabs" ? mapComponentTabs(place, found) : undefined;
}

/** Tells whether the title is a program expression, whose result isn't known. */
function hasComputedTitle(attributes: ReadonlyMap<string, string>): boolean {
  return ["title", "label", "type"].some((key) => attributes.get(key)?.startsWith("{"));
}

function mapComponentTabs(place: ConstructPlace, { body, end }: MdxElement): MappedMdx | undefined {
  const tabs: { box: ForeignBox; element: MdxElement; used: string[] }[] = [];
  for (let at = 0; at < body.length;) {
    if (isBlankLine(body[at]?.text ?? "")) {
      at += 1;
      continue;
    }
    const element = componentAt(body, at);
    if (element === undefined || element === null || !/^(?:TabItem|Tab)$/.test(element.name)) return undefined;
    const key = ["label", "title", "value"].find((one) => element.attributes.has(one));
    if (key === undefined || hasComputedTitle(element.attributes)) return undefined;
    const title = element.attributes.get(key) ?? "";
    const used = element.attributes.get("value") === title.toLowerCase() ? [key, "value"] : [key];
    tabs.push({ box: { title, body: place.convert(element.body), origin: element.origin }, element, used });
    at = element.end;
  }
  if (tabs.length === 0) return undefined;
  const { out, what } = tabLines(
    place,
    tabs.map(({ box }) => box),
    end,
  );
  for (const { element, used } of tabs) place.add({ ...componentConstruct(element, what, used), code: "tabs" });
  return { out, what: texts.parts(), used: [] };
}
