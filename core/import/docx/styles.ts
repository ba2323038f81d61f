import {
  childElement,
  isPropertyOn,
  parseXml,
  attributeValueOf,
  descendantElements,
  type XmlElement,
} from "./xml-tree.ts";

/** The properties of a run that change what people read. */
export interface RunLook {
  hidden?: boolean;
  struck?: boolean;
  capitals?: boolean;
  raised?: "superscript" | "subscript" | "baseline";
  font?: string;
}

/** Names of paragraph styles for code, in Word and in programs that write Word files. */
export const codeStyles = ["Source Code", "HTML Preformatted", "Preformatted Text", "Code Block", "Code"];
/** A placeholder for an empty code line, which the converter would drop. No document uses this character. */
export const emptyLine = "\uE0F8";

export interface StyleBook {
  isCode(paragraphStyle: string | undefined): boolean;
  /** Returns the look of a run from its styles alone. */
  styled(paragraphStyle: string | undefined, runStyle: string | undefined): RunLook;
  /** Tells whether tables in this style show their columns from right to left. */
  isTableFromRight(style: string | undefined): boolean;
}

interface DocxStyle {
  name: string;
  basedOn: string | undefined;
  look: RunLook;
  fromRight: boolean | undefined;
}

/** Returns the look from run properties (`w:rPr`) alone. */
export function runLookOf(properties: XmlElement | undefined): RunLook {
  if (properties === undefined) return {};
  const look: RunLook = {};
  const vanish = childElement(properties, "w:vanish");
  if (vanish !== undefined) look.hidden = isPropertyOn(vanish);
  const strikes = [childElement(properties, "w:strike"), childElement(properties, "w:dstrike")];
  if (strikes.some((strike) => strike !== undefined)) look.struck = strikes.some(isPropertyOn);
  const capitals = childElement(properties, "w:caps");
  if (capitals !== undefined) look.capitals = isPropertyOn(capitals);
  const raised = attributeValueOf(childElement(properties, "w:vertAlign"));
  if (raised === "superscript" || raised === "subscript" || raised === "baseline") look.raised = raised;
  const fonts = childElement(properties, "w:rFonts");
  const font = attributeValueOf(fonts, "w:ascii") ?? attributeValueOf(fonts, "w:hAnsi");
  if (font !== undefined) look.font = font;
  return look;
}

/** Reads the styles of a Word file. @param xml `styles.xml`, or an empty text for a file without styles */
export function readStyleBook(xml: string): StyleBook {
  const root = parseXml(xml);
  const styles = new Map<string, DocxStyle>();
  let plain: string | undefined;
  for (const element of descendantElements(root, ["w:style"])) {
    const id = attributeValueOf(element, "w:styleId") ?? "";
    const table = childElement(element, "w:tblPr");
    const visual = table && childElement(table, "w:bidiVisual");
    styles.set(id, {
      name: attributeValueOf(childElement(element, "w:name")) ?? "",
      basedOn: attributeValueOf(childElement(element, "w:basedOn")),
      look: runLookOf(childElement(element, "w:rPr")),
      fromRight: visual && isPropertyOn(visual),
    });
    const isDefault = /^(?:1|true|on)$/.test(attributeValueOf(element, "w:default") ?? "");
    if (isDefault && attributeValueOf(element, "w:type") === "paragraph") plain = id;
  }
  const styleChain = (id: string | undefined): DocxStyle[] => {
    const found: DocxStyle[] = [];
    for (let at = id; at !== undefined; at = styles.get(at)?.basedOn) {
      const style = styles.get(at);
      if (style === undefined || found.includes(style)) break;
      found.unshift(style);
    }
    return found;
  };
  const lookOfStyle = (id: string | undefined): RunLook =>
    Object.assign({}, ...styleChain(id).map(({ look }) => look)) as RunLook;
  const known = new Map<string, RunLook>();
  return {
    styled(paragraphStyle, runStyle) {
      const key = `${paragraphStyle ?? ""}\0${runStyle ?? ""}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const [outer, inner] = [lookOfStyle(paragraphStyle ?? plain), lookOfStyle(runStyle)];
      const look = { ...outer, ...inner };
      // a property is off if both the paragraph style and the run style turn it on (ISO/IEC 29500-1 §17.7.3)
      for (const name of ["hidden", "struck", "capitals"] as const) {
        if (outer[name] === true && inner[name] !== undefined) look[name] = !inner[name];
      }
      known.set(key, look);
      return look;
    },
    isCode: (style) => codeStyles.includes(styles.get(style ?? "")?.name ?? ""),
    isTableFromRight: (style) =>
      styleChain(style).findLast(({ fromRight }) => fromRight !== undefined)?.fromRight ?? false,
  };
}
