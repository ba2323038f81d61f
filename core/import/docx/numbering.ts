import { checkboxOfSymbol } from "./boxes.ts";
import { attributeOfTag, xmlTags, type XmlTag } from "./xml-tags.ts";

const romans = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
});

/** One level of a list definition. */
interface ListLevelDefinition {
  start: number;
  format: string;
  /** The level after which this level restarts its count; 0 if it never restarts. */
  restart: number | undefined;
  /** The sign or pattern before the items; `font` is the font of a sign. */
  text: string;
  font: string;
  /** True if numbers of other levels are decimal in this level's mark. */
  isLegal: boolean;
  /** The left indent of the words, in twips. */
  indent: number | undefined;
}

interface ListInstance {
  definition: string;
  starts: Map<number, number>;
  /** Levels that replace those of the definition. */
  levels: Map<number, ListLevelDefinition>;
}

interface ListDefinition {
  levels: Map<number, ListLevelDefinition>;
  /** The list style that this definition defines. `styleLink` is a list style whose levels this definition uses. */
  style: string | undefined;
  styleLink: string | undefined;
}

/** The list and the level of a paragraph. */
export interface ListPlace {
  numId: string;
  level: number;
}

/** The list definitions of a document (`numbering.xml`, ISO/IEC 29500-1 §17.9). */
export interface DocxNumbering {
  definitions: Map<string, ListDefinition>;
  lists: Map<string, ListInstance>;
  /** Lists of paragraph styles: style id → list and level. */
  styles: Map<string, ListPlace>;
}

export function readNumbering(xml: string): DocxNumbering {
  const numbering: DocxNumbering = { definitions: new Map(), lists: new Map(), styles: new Map() };
  let definition: ListDefinition | undefined;
  let list: ListInstance | undefined;
  let level: ListLevelDefinition | undefined;
  let at = 0;
  let definitionId = "";
  const byStyle: { style: string; definition: string; level: number }[] = [];
  for (const tag of xmlTags(xml)) {
    const value = attributeOfTag(tag, "w:val");
    if (tag.kind === "end") {
      if (tag.name === "w:abstractNum") definition = undefined;
      else if (tag.name === "w:num") list = undefined;
      else if (tag.name === "w:lvl") level = undefined;
    } else if (tag.name === "w:abstractNum") {
      definitionId = attributeOfTag(tag, "w:abstractNumId") ?? "";
      definition = { levels: new Map(), style: undefined, styleLink: undefined };
      numbering.definitions.set(definitionId, definition);
    } else if (tag.name === "w:num") {
      list = { definition: "", starts: new Map(), levels: new Map() };
      numbering.lists.set(attributeOfTag(tag, "w:numId") ?? "", list);
    } else if (tag.name === "w:lvl" || tag.name === "w:lvlOverride") {
      at = Number(attributeOfTag(tag, "w:ilvl") ?? 0);
      if (tag.name === "w:lvl" && tag.kind === "start") level = defaultListLevel(at);
      if (level !== undefined) (definition ?? list)?.levels.set(at, level);
    } else if (tag.name === "w:abstractNumId" && list !== undefined) list.definition = value ?? "";
    else if (tag.name === "w:startOverride" && list !== undefined)
      list.starts.set(at, parseNonNegativeInteger(value, 1));
    else if (tag.name === "w:styleLink" && definition !== undefined) definition.style = value;
    else if (tag.name === "w:numStyleLink" && definition !== undefined) definition.styleLink = value;
    else if (level !== undefined && tag.name === "w:start") level.start = parseNonNegativeInteger(value, 1);
    else if (level !== undefined && tag.name === "w:numFmt") level.format = value ?? "decimal";
    else if (level !== undefined && tag.name === "w:lvlText") level.text = value ?? "";
    else if (level !== undefined && tag.name === "w:rFonts") level.font = attributeOfTag(tag, "w:ascii") ?? "";
    else if (level !== undefined && tag.name === "w:isLgl")
      level.isLegal = value === undefined || parseNonNegativeInteger(value, 1) > 0;
    else if (level !== undefined && tag.name === "w:ind") level.indent = leftIndentOf(tag);
    else if (level !== undefined && tag.name === "w:lvlRestart") level.restart = parseNonNegativeInteger(value, 0);
    else if (definition !== undefined && tag.name === "w:pStyle" && value !== undefined) {
      byStyle.push({ style: value, definition: definitionId, level: at });
    }
  }
  for (const { style, definition: id, level: place } of byStyle) {
    const numId = [...numbering.lists].find(([, known]) => known.definition === id)?.[0];
    if (numId !== undefined) numbering.styles.set(style, { numId, level: place });
  }
  return numbering;
}

function defaultListLevel(at: number): ListLevelDefinition {
  return {
    start: 1,
    format: "decimal",
    restart: undefined,
    text: `%${at + 1}.`,
    font: "",
    isLegal: false,
    indent: undefined,
  };
}

function parseNonNegativeInteger(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

export interface ParagraphStyle {
  name: string;
  basedOn: string | undefined;
  list: Partial<ListPlace>;
  /** The left indent of the words, in twips. */
  indent: number | undefined;
}

/** Returns the left indent of a paragraph, in twips. */
export function leftIndentOf(tag: XmlTag): number | undefined {
  const left = attributeOfTag(tag, "w:left") ?? attributeOfTag(tag, "w:start");
  return left === undefined || !Number.isFinite(Number(left)) ? undefined : Number(left);
}

/** Reads the paragraph styles of a document (`styles.xml`): name, base style, and list. */
export function readStyles(xml: string): Map<string, ParagraphStyle> {
  const styles = new Map<string, ParagraphStyle>();
  let style: ParagraphStyle | undefined;
  for (const tag of xmlTags(xml)) {
    if (tag.name === "w:style") {
      style = undefined;
      if (tag.kind !== "start" || attributeOfTag(tag, "w:type") !== "paragraph") continue;
      style = { name: "", basedOn: undefined, list: {}, indent: undefined };
      styles.set(attributeOfTag(tag, "w:styleId") ?? "", style);
    } else if (style === undefined || tag.kind === "end") continue;
    else if (tag.name === "w:name") style.name = attributeOfTag(tag, "w:val") ?? "";
    else if (tag.name === "w:basedOn") style.basedOn = attributeOfTag(tag, "w:val");
    else if (tag.name === "w:ind") style.indent = leftIndentOf(tag);
    else if (tag.name === "w:numId") style.list.numId = attributeOfTag(tag, "w:val") ?? "0";
    else if (tag.name === "w:ilvl") style.list.level = parseNonNegativeInteger(attributeOfTag(tag, "w:val"), 0);
  }
  return styles;
}

/** Returns the list of a paragraph style, from the style itself or from one that it is based on. */
export function listOfStyle(
  id: string,
  styles: ReadonlyMap<string, ParagraphStyle>,
  numbering: DocxNumbering,
): ListPlace | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = styles.get(at)?.basedOn) {
    seen.add(at);
    const own = styles.get(at)?.list;
    const known = numbering.styles.get(at);
    if (own?.numId === "0") return undefined;
    if (own?.numId !== undefined) return { numId: own.numId, level: known?.level ?? own.level ?? 0 };
    if (known !== undefined) return known;
  }
  return undefined;
}

export interface ItemNumber {
  number: number;
  format: string;
  /** A key that is equal for lists that continue each other's numbers. */
  counter: string;
  /** The checkbox character if the list's sign is a checkbox; undefined for other signs. */
  box: string | undefined;
  /** The number or words that Word writes before the item, such as "1.2" or "Step 3:"; empty for a sign. */
  mark: string;
  /** True if the mark has no number, but only words; false for a bullet. */
  isWithoutNumber: boolean;
  /** True if the mark is only a number, as in a Markdown list. */
  isPlain: boolean;
  /** True if the list overrides this level of its definition, or belongs to a list style. */
  isOwnLevel: boolean;
}

/**
 * Creates a function that numbers list items like Word: lists of one definition continue counting across any text
 * between them.
 */
export function createItemCounter(numbering: DocxNumbering): (place: ListPlace) => ItemNumber | undefined {
  const counts = new Map<string, Map<number, number>>();
  const started = new Set<string>();
  return ({ numId, level }) => {
    const list = numbering.lists.get(numId);
    if (list === undefined) return undefined;
    const definition = listDefinitionOf(list, numbering);
    const levelAt = (deep: number) => list.levels.get(deep) ?? definition?.levels.get(deep);
    const kind = levelAt(level);
    if (kind === undefined) return undefined;
    const counter = list.definition;
    const count = counts.get(counter) ?? new Map<number, number>();
    counts.set(counter, count);
    const override = list.starts.get(level);
    const first = `${numId}:${level}`;
    if (override !== undefined && !started.has(first)) count.set(level, override - 1);
    started.add(first);
    const number = (count.get(level) ?? (override ?? kind.start) - 1) + 1;
    count.set(level, number);
    for (const deeper of count.keys()) {
      const restart = definition?.levels.get(deeper)?.restart;
      if (deeper > level && restart !== 0 && (restart === undefined || level < restart)) count.delete(deeper);
    }
    const { format } = kind;
    const isSign = format === "bullet";
    const numberAt = (deep: number): string => {
      const { start, format: form } = levelAt(deep) ?? kind;
      return writtenNumber(count.get(deep) ?? start, kind.isLegal ? "decimal" : form);
    };
    return {
      number,
      format,
      counter,
      box: isSign ? checkboxOfLevel(kind) : undefined,
      mark: isSign ? "" : kind.text.replace(/%([1-9])/g, (_, deep: string) => numberAt(Number(deep) - 1)),
      isWithoutNumber: !isSign && (format === "none" || !/%[1-9]/.test(kind.text)),
      isPlain: /^\(?%[1-9][.)\]]?$/.test(kind.text) && /^decimal$|letter$|roman$/i.test(format),
      isOwnLevel: list.levels.has(level) || numbering.definitions.get(counter)?.styleLink !== undefined,
    };
  };
}

function checkboxOfLevel({ text, font }: ListLevelDefinition): string | undefined {
  return /^[☐☑☒]$/u.test(text) ? text : checkboxOfSymbol(font, text.charCodeAt(0));
}

/**
 * Returns the definition with the levels of a list. If the definition refers to a list style, this is the definition of
 * the list style.
 */
function listDefinitionOf(list: ListInstance, { definitions }: DocxNumbering): ListDefinition | undefined {
  const own = definitions.get(list.definition);
  const link = own?.styleLink;
  return link === undefined ? own : ([...definitions.values()].find(({ style }) => style === link) ?? own);
}

/**
 * Returns a number as text in the format of a list; for an unsupported format, such as words, the digits and the
 * format's name.
 */
function writtenNumber(number: number, format: string): string {
  switch (format) {
    case "decimalZero":
      return String(number).padStart(2, "0");
    case "lowerLetter":
      return listLettersOf(number);
    case "upperLetter":
      return listLettersOf(number).toUpperCase();
    case "lowerRoman":
      return romanNumeral(number).toLowerCase();
    case "upperRoman":
      return romanNumeral(number);
    case "none":
      return "";
    case "decimal":
      return String(number);
    default:
      return `${number} (${format})`;
  }
}

/** Returns the letters for a number. Word continues after z with aa, bb. */
function listLettersOf(number: number): string {
  return number < 1 ? "" : String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function romanNumeral(number: number): string {
  let left = Math.min(number, 3999);
  return romans
    .map(([sign, value]) => {
      const times = Math.floor(left / value);
      left -= times * value;
      return sign.repeat(times);
    })
    .join("");
}
