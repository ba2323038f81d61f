import { child, isOn, parseXml, valueOf, within, type XmlElement } from "./xml-tree.ts";

/** The properties of a run that change what people read. */
export interface Look {
  hidden?: boolean;
  struck?: boolean;
  capitals?: boolean;
  raised?: "superscript" | "subscript" | "baseline";
  font?: string;
}

/** Names of paragraph styles for code, in Word and in programs that write Word files. */
export const codeStyles = ["Source Code", "HTML Preformatted", "Preformatted Text", "Code Block", "Code"];
/** The content of an empty code line, which the converter would drop otherwise. No document uses this character. */
export const emptyLine = "\uE0F8";

export interface StyleBook {
  isCode(paragraphStyle: string | undefined): boolean;
  /** The look of a run by its styles alone. */
  styled(paragraphStyle: string | undefined, runStyle: string | undefined): Look;
  /** Tells whether tables in this style show their columns from right to left. */
  isTableFromRight(style: string | undefined): boolean;
}

interface Style {
  name: string;
  basedOn: string | undefined;
  look: Look;
  fromRight: boolean | undefined;
}

/** The look by run properties (`w:rPr`) alone. */
export function lookOf(properties: XmlElement | undefined): Look {
  if (properties === undefined) return {};
  const look: Look = {};
  const vanish = child(properties, "w:vanish");
  if (vanish !== undefined) look.hidden = isOn(vanish);
  const strikes = [child(properties, "w:strike"), child(properties, "w:dstrike")];
  if (strikes.some((strike) => strike !== undefined)) look.struck = strikes.some(isOn);
  const capitals = child(properties, "w:caps");
  if (capitals !== undefined) look.capitals = isOn(capitals);
  const raised = valueOf(child(properties, "w:vertAlign"));
  if (raised === "superscript" || raised === "subscript" || raised === "baseline") look.raised = raised;
  const fonts = child(properties, "w:rFonts");
  const font = valueOf(fonts, "w:ascii") ?? valueOf(fonts, "w:hAnsi");
  if (font !== undefined) look.font = font;
  return look;
}

/** @param xml `styles.xml`, or an empty text for a file without it */
export function readStyleBook(xml: string): StyleBook {
  const root = parseXml(xml);
  const styles = new Map<string, Style>();
  let plain: string | undefined;
  for (const element of within(root, ["w:style"])) {
    const id = valueOf(element, "w:styleId") ?? "";
    const table = child(element, "w:tblPr");
    const visual = table && child(table, "w:bidiVisual");
    styles.set(id, {
      name: valueOf(child(element, "w:name")) ?? "",
      basedOn: valueOf(child(element, "w:basedOn")),
      look: lookOf(child(element, "w:rPr")),
      fromRight: visual && isOn(visual),
    });
    const isDefault = /^(?:1|true|on)$/.test(valueOf(element, "w:default") ?? "");
    if (isDefault && valueOf(element, "w:type") === "paragraph") plain = id;
  }
  const chain = (id: string | undefined): Style[] => {
    const found: Style[] = [];
    for (let at = id; at !== undefined; at = styles.get(at)?.basedOn) {
      const style = styles.get(at);
      if (style === undefined || found.includes(style)) break;
      found.unshift(style);
    }
    return found;
  };
  const lookOfStyle = (id: string | undefined): Look => Object.assign({}, ...chain(id).map(({ look }) => look)) as Look;
  const known = new Map<string, Look>();
  return {
    styled(paragraphStyle, runStyle) {
      const key = `${paragraphStyle ?? ""}\0${runStyle ?? ""}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const [outer, inner] = [lookOfStyle(paragraphStyle ?? plain), lookOfStyle(runStyle)];
      const look = { ...outer, ...inner };
      // a property that both styles turn on is off (ISO/IEC 29500-1 §17.7.3)
      for (const name of ["hidden", "struck", "capitals"] as const) {
        if (outer[name] === true && inner[name] !== undefined) look[name] = !inner[name];
      }
      known.set(key, look);
      return look;
    },
    isCode: (style) => codeStyles.includes(styles.get(style ?? "")?.name ?? ""),
    isTableFromRight: (style) => chain(style).findLast(({ fromRight }) => fromRight !== undefined)?.fromRight ?? false,
  };
}
