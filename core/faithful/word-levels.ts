import type { WordListCounters } from "./word-counters.ts";
import { leftIndentOf, type WordStyles } from "./word-styles.ts";
import { childNamed, xmlAttribute, type WordXmlNode } from "./word-xml.ts";

/** The additional indent, in twips, from which an item looks nested. */
const visible = 200;

/**
 * Finds the visible level of list items. An item of another list looks nested if its words begin further right than
 * those of the list above.
 */
export class WordListLevels {
  private open: { list: string; first: number; level: number; left: number }[] = [];
  private readonly styles: WordStyles;
  private readonly counters: WordListCounters;

  constructor(styles: WordStyles, counters: WordListCounters) {
    this.styles = styles;
    this.counters = counters;
  }

  /** Ends all open lists, so that the next item begins a new list. */
  endLists(): void {
    this.open = [];
  }

  /** Records a paragraph outside of lists. It ends the open lists unless its indent makes it part of the item above. */
  addParagraph(properties: WordXmlNode | undefined, style: string | undefined): void {
    if ((leftIndentOf(properties) ?? this.styles.leftIndentOfStyle(style)?.left ?? 0) < 300) this.endLists();
  }

  levelOf(
    place: { numId: string; level: number },
    properties: WordXmlNode | undefined,
    style: string | undefined,
  ): number {
    const list = this.counters.idOf(place.numId) ?? "";
    const left = this.leftIndentOfItem(place, properties, style);
    const same = this.open.findLast((one) => one.list === list);
    const outer = this.open.findLastIndex((one) => one.left <= left - visible);
    const above = same === undefined ? this.open.slice(0, outer + 1) : this.open;
    const first = same?.first ?? (place.level === 0 && above.length > 0 ? (above.at(-1)?.level ?? 0) + 1 : 0);
    const level = Math.min(8, first + place.level);
    this.open = [...above.filter((one) => one.level < level), { list, first, level, left }];
    return level;
  }

  private leftIndentOfItem(
    { numId, level }: { numId: string; level: number },
    properties: WordXmlNode | undefined,
    style: string | undefined,
  ): number {
    const isOwn = xmlAttribute(childNamed(childNamed(properties, "w:numPr"), "w:numId")) !== undefined;
    const [byList, above] = [
      leftIndentOf(this.counters.paragraphsOf(numId, level)),
      this.styles.leftIndentOfStyle(style),
    ];
    const byName = 360 * Number(/^list (?:bullet|number) ([2-5])$/.exec(this.styles.nameOf(style))?.[1] ?? 1);
    const byStyle = isOwn || above?.isAboveList === true ? (byList ?? above?.left) : (above?.left ?? byList);
    return leftIndentOf(properties) ?? byStyle ?? byName;
  }
}
