import { textWithSymbols } from "./word-symbols.ts";
import { findDescendants, childNamed, xmlAttribute, type WordXmlNode } from "./word-xml.ts";

/** The number or mark that Word writes before a list item. */
export interface WordListNumber {
  number: number;
  format: string;
  /** The words before the item if they contain no number; undefined for a numbered item. */
  words: string | undefined;
  /** `x0` (open) or `x1` (checked) if the list's sign is a checkbox. */
  box: "x0" | "x1" | undefined;
}

/**
 * Numbers list items like Word: each abstract list is counted separately, and deeper levels restart after each item.
 */
export class WordListCounters {
  private readonly counts = new Map<string, number[]>();
  private readonly started = new Set<string>();
  private readonly lists = new Map<string, WordXmlNode>();
  private readonly abstracts = new Map<string, WordXmlNode>();

  constructor(numbering: WordXmlNode) {
    for (const one of findDescendants(numbering, "w:num")) this.lists.set(xmlAttribute(one, "w:numId") ?? "", one);
    for (const one of findDescendants(numbering, "w:abstractNum"))
      this.abstracts.set(xmlAttribute(one, "w:abstractNumId") ?? "", one);
  }

  /** Returns the id of the abstract list. Lists with the same abstract list continue each other's numbers. */
  idOf(numId: string): string | undefined {
    return xmlAttribute(childNamed(this.lists.get(numId), "w:abstractNumId"));
  }

  private abstractOf(numId: string): WordXmlNode | undefined {
    const abstract = this.abstracts.get(this.idOf(numId) ?? "");
    const style = xmlAttribute(childNamed(abstract, "w:numStyleLink"));
    if (style === undefined) return abstract;
    return [...this.abstracts.values()].find((one) => xmlAttribute(childNamed(one, "w:styleLink")) === style);
  }

  /** Returns the level of a list that belongs to a paragraph style. */
  levelOf(numId: string, style: string): string | undefined {
    const level = this.abstractOf(numId)?.children.find(
      (one) => one.name === "w:lvl" && xmlAttribute(childNamed(one, "w:pStyle")) === style,
    );
    return xmlAttribute(level, "w:ilvl");
  }

  private overrideOf(numId: string, level: number): WordXmlNode | undefined {
    return levelElement(this.lists.get(numId), "w:lvlOverride", level);
  }

  /** Returns the properties of a list level, from the list itself or from its abstract list. */
  private propertiesOf(numId: string, level: number): WordXmlNode | undefined {
    return childNamed(this.overrideOf(numId, level), "w:lvl") ?? levelElement(this.abstractOf(numId), "w:lvl", level);
  }

  /** Returns the paragraph properties of a list level. */
  paragraphsOf(numId: string, level: number): WordXmlNode | undefined {
    return childNamed(this.propertiesOf(numId, level), "w:pPr");
  }

  nextNumber(numId: string, level: number): WordListNumber | undefined {
    const id = this.idOf(numId);
    const own = this.propertiesOf(numId, level);
    if (id === undefined || own === undefined) return undefined;
    const counts = this.counts.get(id) ?? [];
    this.counts.set(id, counts);
    const restart = xmlAttribute(childNamed(this.overrideOf(numId, level), "w:startOverride"));
    const first = Number(restart ?? xmlAttribute(childNamed(own, "w:start")) ?? 1);
    const key = `${numId}:${level}`;
    if (restart !== undefined && !this.started.has(key)) counts[level] = first;
    else counts[level] = (counts[level] ?? first - 1) + 1;
    this.started.add(key);
    counts.length = level + 1;
    const format = xmlAttribute(childNamed(own, "w:numFmt")) ?? "decimal";
    const pattern = xmlAttribute(childNamed(own, "w:lvlText")) ?? "%1";
    const hasNumber = format === "bullet" || (format !== "none" && pattern.includes("%"));
    const words = hasNumber ? undefined : pattern.replace(/%\d/g, "");
    const sign =
      format === "bullet"
        ? textWithSymbols(pattern, xmlAttribute(childNamed(childNamed(own, "w:rPr"), "w:rFonts"), "w:ascii") ?? "")
        : "";
    const box = sign === "☐" ? "x0" : /^[☑☒]$/u.test(sign) ? "x1" : undefined;
    return { number: counts[level] ?? first, format, words, box };
  }
}

function levelElement(parent: WordXmlNode | undefined, name: string, level: number): WordXmlNode | undefined {
  return parent?.children.find((one) => one.name === name && xmlAttribute(one, "w:ilvl") === String(level));
}
