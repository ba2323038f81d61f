import type { Counters } from "./word-counters.ts";
import { find, get, val, yes, type Node } from "./word-xml.ts";

/** The styles of a Word file, with the properties that they inherit. */
export class WordStyles {
  private readonly styles = new Map<string, Node>();

  constructor(styles: Node) {
    for (const style of find(styles, "w:style")) this.styles.set(val(style, "w:styleId") ?? "", style);
  }

  /** A run property of a style, or of a style that it is based on. */
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

  /** The list and level of a paragraph, from its own properties or from its style. */
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

  /**
   * The indent of a style in twips, from the style or one that it is based on. `isAboveList` tells that the list is
   * defined closer to the paragraph than the indent, so the list's own indent wins.
   */
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

  /** Tells whether a table shows its columns from right to left. */
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

/** The left indent in twips. */
export function leftOf(properties: Node | undefined): number | undefined {
  const indent = get(properties, "w:ind");
  const left = val(indent, "w:left") ?? val(indent, "w:start");
  return left === undefined || Number.isNaN(Number(left)) ? undefined : Number(left);
}
