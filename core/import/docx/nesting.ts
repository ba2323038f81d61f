import type { DocxNumbering, ListPlace, ParagraphStyle } from "./numbering.ts";

/** The ids of two added lists with all levels, for items that look deeper than their own list allows. */
const bullets = "990001";
const numbers = "990002";
/** The additional indent, in twips, from which an item looks nested. */
const step = 200;

interface ShiftedItem {
  definition: string;
  /** The number of levels to add to those of the definition. */
  shift: number;
  level: number;
  indent: number;
}

/**
 * Finds the visible levels of list items. Styles such as "List Bullet 2" are lists with one level, so only their indent
 * shows the level.
 */
export class ListNesting {
  private items: ShiftedItem[] = [];
  private container = 0;

  /** Ends all open lists. Callers end them at a paragraph outside of lists. */
  endLists(): void {
    this.items = [];
  }

  /** Returns the visible level of an item. @param container the number of the cell or text box around the paragraph */
  levelOf(definition: string, level: number, indent: number, container: number): number {
    if (container !== this.container) this.endLists();
    this.container = container;
    const known = this.items.findLast((item) => item.definition === definition);
    if (known === undefined) {
      while ((this.items.at(-1)?.indent ?? -step) > indent - step) this.items.pop();
    }
    const shift = known?.shift ?? (level === 0 ? (this.items.at(-1)?.level ?? -1) + 1 : 0);
    const shown = Math.min(8, shift + level);
    while ((this.items.at(-1)?.level ?? -1) >= shown) this.items.pop();
    this.items.push({ definition, shift, level: shown, indent });
    return shown;
  }
}

/** Returns the id of the added list for a number format. */
export function addedListIdFor(format: string): string {
  return format === "bullet" ? bullets : numbers;
}

/** Returns `numbering.xml` with the two added lists. */
export function withAddedLists(xml: string): string {
  const listXml = (id: string, format: string) => {
    const levels = Array.from({ length: 9 }, (_, at) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/></w:lvl>`);
    return (
      `<w:abstractNum w:abstractNumId="${id}">${levels.join("")}</w:abstractNum>` +
      `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`
    );
  };
  return xml.replace(
    /<\/w:numbering>\s*$/,
    `${listXml(bullets, "bullet")}${listXml(numbers, "decimal")}</w:numbering>`,
  );
}

/**
 * Returns the indent of a list item in twips: from the paragraph, else from the style with the list, else from the
 * list, else from other styles.
 */
export function indentOfItem(
  paragraph: { style: string; indent: number | undefined; numId: string | undefined },
  { numId, level }: ListPlace,
  styles: ReadonlyMap<string, ParagraphStyle>,
  numbering: DocxNumbering,
): number {
  if (paragraph.indent !== undefined) return paragraph.indent;
  const ofList = numbering.definitions.get(numbering.lists.get(numId)?.definition ?? "")?.levels.get(level)?.indent;
  let ofStyle: number | undefined;
  let isBelowList = paragraph.numId !== undefined;
  const seen = new Set<string>();
  for (let id: string | undefined = paragraph.style; id !== undefined && !seen.has(id); id = styles.get(id)?.basedOn) {
    seen.add(id);
    const style = styles.get(id);
    ofStyle ??= style?.indent;
    if (ofStyle !== undefined && !isBelowList) return ofStyle;
    if (style?.list.numId !== undefined) isBelowList = true;
  }
  return ofList ?? ofStyle ?? indentOfName(styles.get(paragraph.style)?.name ?? "");
}

export function indentOfStyle(id: string, styles: ReadonlyMap<string, ParagraphStyle>): number | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = styles.get(at)?.basedOn) {
    seen.add(at);
    const indent = styles.get(at)?.indent;
    if (indent !== undefined) return indent;
  }
  return undefined;
}

/** Returns the indent that a style's name implies, such as "List Number 3". */
function indentOfName(name: string): number {
  return 360 * Number(/^list (?:bullet|number) ([2-5])$/i.exec(name)?.[1] ?? 1);
}
