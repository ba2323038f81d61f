import type { WordListCounters } from "./word-counters.ts";
import { findDescendants, childNamed, xmlAttribute, isPropertyOn, type WordXmlNode } from "./word-xml.ts";

/** The styles of a Word file, with the properties that they inherit. */
export class WordStyles {
  private readonly styles = new Map<string, WordXmlNode>();

  constructor(styles: WordXmlNode) {
    for (const style of findDescendants(styles, "w:style"))
      this.styles.set(xmlAttribute(style, "w:styleId") ?? "", style);
  }

  /** Returns a run property of a style, or of a style that it is based on. */
  runPropertyOf(id: string | undefined, name: string): WordXmlNode | undefined {
    for (
      let at = this.styles.get(id ?? "");
      at !== undefined;
      at = this.styles.get(xmlAttribute(childNamed(at, "w:basedOn")) ?? "")
    ) {
      const found = childNamed(childNamed(at, "w:rPr"), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  nameOf(style: string | undefined): string {
    return (xmlAttribute(childNamed(this.styles.get(style ?? ""), "w:name")) ?? style ?? "").toLowerCase();
  }

  /** Returns the list and level of a paragraph, from its own properties or from its style. */
  listOf(
    properties: WordXmlNode | undefined,
    style: string | undefined,
    counters: WordListCounters,
  ): { numId: string; level: number } | undefined {
    const own = childNamed(properties, "w:numPr");
    const ownId = xmlAttribute(childNamed(own, "w:numId"));
    const level = xmlAttribute(childNamed(own, "w:ilvl"));
    for (let id = style ?? "", at = this.styles.get(id); at !== undefined;) {
      const list = childNamed(childNamed(at, "w:pPr"), "w:numPr");
      const numId = ownId ?? xmlAttribute(childNamed(list, "w:numId"));
      if (list !== undefined && numId !== undefined)
        return {
          numId,
          level: Number(level ?? counters.levelOf(numId, id) ?? xmlAttribute(childNamed(list, "w:ilvl")) ?? 0),
        };
      id = xmlAttribute(childNamed(at, "w:basedOn")) ?? "";
      at = this.styles.get(id);
    }
    return ownId === undefined ? undefined : { numId: ownId, level: Number(level ?? 0) };
  }

  /**
   * Returns the indent of a style in twips, from the style or one that it is based on. `isAboveList` is true if the
   * list is defined closer to the paragraph than the indent, so that the list's indent applies.
   */
  leftIndentOfStyle(id: string | undefined): { left: number; isAboveList: boolean } | undefined {
    let isAboveList = false;
    for (
      let at = this.styles.get(id ?? "");
      at !== undefined;
      at = this.styles.get(xmlAttribute(childNamed(at, "w:basedOn")) ?? "")
    ) {
      const properties = childNamed(at, "w:pPr");
      const left = leftIndentOf(properties);
      if (left !== undefined) return { left, isAboveList };
      isAboveList ||= childNamed(properties, "w:numPr") !== undefined;
    }
    return undefined;
  }

  /** Tells whether a table shows its columns from right to left. */
  isTableFromRight(table: WordXmlNode): boolean {
    const properties = childNamed(table, "w:tblPr");
    let visual = childNamed(properties, "w:bidiVisual");
    for (
      let at = this.styles.get(xmlAttribute(childNamed(properties, "w:tblStyle")) ?? "");
      visual === undefined && at !== undefined;
    ) {
      visual = childNamed(childNamed(at, "w:tblPr"), "w:bidiVisual");
      at = this.styles.get(xmlAttribute(childNamed(at, "w:basedOn")) ?? "");
    }
    return isPropertyOn(visual);
  }
}

/** Returns the left indent in twips. */
export function leftIndentOf(properties: WordXmlNode | undefined): number | undefined {
  const indent = childNamed(properties, "w:ind");
  const left = xmlAttribute(indent, "w:left") ?? xmlAttribute(indent, "w:start");
  return left === undefined || Number.isNaN(Number(left)) ? undefined : Number(left);
}
