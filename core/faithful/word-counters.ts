import { find, get, val, type Node } from "./word-xml.ts";

/** Word's own numbering: each abstract list counts, a deeper level starts again below each item. */
export class Counters {
  private readonly counts = new Map<string, number[]>();
  private readonly started = new Set<string>();
  private readonly lists = new Map<string, Node>();
  private readonly abstracts = new Map<string, Node>();

  constructor(numbering: Node) {
    for (const one of find(numbering, "w:num")) this.lists.set(val(one, "w:numId") ?? "", one);
    for (const one of find(numbering, "w:abstractNum")) this.abstracts.set(val(one, "w:abstractNumId") ?? "", one);
  }

  private abstractOf(numId: string): Node | undefined {
    return this.abstracts.get(this.idOf(numId) ?? "");
  }

  /** The level of a list that a style stands for. */
  levelOf(numId: string, style: string): string | undefined {
    const level = this.abstractOf(numId)?.children.find(
      (one) => one.name === "w:lvl" && val(get(one, "w:pStyle")) === style,
    );
    return val(level, "w:ilvl");
  }

  /** Lists of one definition count on. */
  idOf(numId: string): string | undefined {
    return val(get(this.lists.get(numId), "w:abstractNumId"));
  }

  /** The properties of paragraphs at a level. */
  propertiesOf(numId: string, level: number): Node | undefined {
    const at = this.abstractOf(numId)?.children.find(
      (one) => one.name === "w:lvl" && val(one, "w:ilvl") === String(level),
    );
    return get(at, "w:pPr");
  }

  next(numId: string, level: number): { number: number; format: string } | undefined {
    const list = this.lists.get(numId);
    const id = this.idOf(numId);
    const abstract = this.abstractOf(numId);
    const own = abstract?.children.find((one) => one.name === "w:lvl" && val(one, "w:ilvl") === String(level));
    if (list === undefined || id === undefined || own === undefined) return undefined;
    const counts = this.counts.get(id) ?? [];
    this.counts.set(id, counts);
    const override = list.children.find((one) => one.name === "w:lvlOverride" && val(one, "w:ilvl") === String(level));
    const restart = val(get(override, "w:startOverride"));
    const first = Number(restart ?? val(get(own, "w:start")) ?? 1);
    const key = `${numId}:${level}`;
    if (restart !== undefined && !this.started.has(key)) counts[level] = first;
    else counts[level] = (counts[level] ?? first - 1) + 1;
    this.started.add(key);
    counts.length = level + 1;
    return { number: counts[level] ?? first, format: val(get(own, "w:numFmt")) ?? "decimal" };
  }
}
