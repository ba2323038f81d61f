import type { Counters } from "./word-counters.ts";
import { find, get, val, yes, type Node } from "./word-xml.ts";

/** The styles of a Word file, with what they take from others. */
export class WordStyles {
  private readonly styles = new Map<string, Node>();

  constructor(styles: Node) {
    for (const style of find(styles, "w:style")) this.styles.set(val(style, "w:styleId") ?? "", style);
  }

  /** A property of runs that a style or one it is based on has. */
  look(id: string | undefined, name: string): Node | undefined {
    for (let at = this.styles.get(id ?? ""); at !== undefined; at = this.styles.get(val(get(at, "w:basedOn")) ?? "")) {
      const found = get(get(at, "w:rPr"), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  nameOf(style: string | undefined): string {
    return (val(get(this.styles.get(style ?? ""), "w:name")) ?? style ?? "").toLowerCase();
  }

  /** Where a paragraph is numbered, by its own properties or by its style. */
  listOf(
    properties: Node | undefined,
    style: string | undefined,
    counters: Counters,
  ): { numId: string; level: number } | undefined {
    const own = get(properties, "w:numPr");
    const ownId = val(get(own, "w:numId"));
    const level = val(get(own, "w:ilvl"));
    for (let id = style ?? "", at = this.styles.get(id); at !== undefined;) {
      const list = get(get(at, "w:pPr"), "w:numPr");
      const numId = ownId ?? val(get(list, "w:numId"));
      if (list !== undefined && numId !== undefined)
        return { numId, level: Number(level ?? counters.levelOf(numId, id) ?? val(get(list, "w:ilvl")) ?? 0) };
      id = val(get(at, "w:basedOn")) ?? "";
      at = this.styles.get(id);
    }
    return ownId === undefined ? undefined : { numId: ownId, level: Number(level ?? 0) };
  }

  /** Where words of a style begin. The indent of a list goes before that of a style above the style that has the list. */
  leftOf(id: string | undefined): { left: number; isAboveList: boolean } | undefined {
    let isAboveList = false;
    for (let at = this.styles.get(id ?? ""); at !== undefined; at = this.styles.get(val(get(at, "w:basedOn")) ?? "")) {
      const properties = get(at, "w:pPr");
      const left = leftOf(properties);
      if (left !== undefined) return { left, isAboveList };
      isAboveList ||= get(properties, "w:numPr") !== undefined;
    }
    return undefined;
  }

  /** Are the columns of a table in the order from the right? */
  isTableFromRight(table: Node): boolean {
    const properties = get(table, "w:tblPr");
    let visual = get(properties, "w:bidiVisual");
    for (
      let at = this.styles.get(val(get(properties, "w:tblStyle")) ?? "");
      visual === undefined && at !== undefined;
    ) {
      visual = get(get(at, "w:tblPr"), "w:bidiVisual");
      at = this.styles.get(val(get(at, "w:basedOn")) ?? "");
    }
    return yes(visual);
  }
}

/** Where words begin from the left, in twips. */
export function leftOf(properties: Node | undefined): number | undefined {
  const indent = get(properties, "w:ind");
  const left = val(indent, "w:left") ?? val(indent, "w:start");
  return left === undefined || Number.isNaN(Number(left)) ? undefined : Number(left);
}
