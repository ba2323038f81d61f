/**
 * Compares two texts with their common base: each place is unchanged, changed on one side, or changed on both. The
 * caller decides which side to take.
 */
import { formatMarkdown } from "../markdown/format.ts";
import { alignParts } from "./pairs.ts";
import { blockUnits, splitBlock, type SplitBlock, type DiffUnit } from "./units.ts";

export interface MergePlace {
  /** The side that changed the place. `none`: all texts agree, or both sides made the same change. */
  by: "none" | "mine" | "theirs" | "both";
  kind: "block" | "item" | "row";
  /** The Markdown of the place in each text; empty for a text without this place. */
  base: string;
  mine: string;
  theirs: string;
  /**
   * The first block of the base at this place, from 0; `to` is the last one. For inserted text, both name the block
   * before it, -1 at the start.
   */
  from: number;
  to: number;
  /** The first line of the base at this place, from 1; 0 for inserted text. `endLine` is the last one. */
  line: number;
  endLine: number;
  /** The header row of the table, to show above a row; empty for other places. */
  head: string;
  /** The number of the list or table that the place is part of; 0 for other places. */
  run: number;
}

interface UnitRun {
  glue: string;
  start: number | null;
}

export interface MergeComparison {
  base: string;
  mine: string;
  theirs: string;
  places: MergePlace[];
  /** The lists and tables, by `MergePlace.run`. The first entry is for places outside of them. */
  runs: readonly UnitRun[];
}

export type MergeSide = "mine" | "theirs" | "both";

/**
 * Compares two texts with their base and with each other. If `mine` equals `base`, every place other than `none` is a
 * change of `theirs`: a proposal to accept or reject piece by piece.
 * @param base @param mine @param theirs Markdown in canonical form
 * @throws AppError `unprocessable` if a text can't be parsed
 */
export function compareWithBase(base: string, mine: string, theirs: string): MergeComparison {
  const found: FoundPlaces = { places: [], runs: [{ glue: "\n\n", start: null }] };
  const old = blockUnits(base);
  const own = mine === base ? old : blockUnits(mine);
  compareUnits(found, [old, own, blockUnits(theirs)], null, { from: 0, isFixed: false });
  return { base, mine, theirs, ...found };
}

/**
 * Writes the text with the chosen side at every place; `both` puts `theirs` after `mine`. If all choices are the same
 * side, that side's text is returned unchanged, else canonical Markdown.
 */
export function textWithChoices(
  { mine, theirs, places, runs }: MergeComparison,
  choose: (place: MergePlace, index: number) => MergeSide,
): string {
  const chosen = places.map((place, index) => (place.by === "none" ? "mine" : choose(place, index)));
  const isAll = (side: "mine" | "theirs"): boolean =>
    places.every((place, index) => place.by === "none" || chosen[index] === side || place.mine === place.theirs);
  if (isAll("mine")) return mine;
  // changes that both sides made are equal on both sides, so `theirs` already has all of them
  if (isAll("theirs")) return theirs;
  const taken = places.map((place, index) => sideTextsOf(place, chosen[index] ?? "mine"));
  let text = "";
  let last = 0;
  let opened = 0;
  places.forEach(({ run }, index) => {
    for (const piece of taken[index] ?? []) {
      const { glue = "\n\n", start = null } = runs[run] ?? {};
      const isFirst = run !== 0 && run !== opened;
      const own = isFirst && start !== null ? piece.replace(/^\d{1,9}(?=[.)])/, String(start)) : piece;
      text += text === "" ? "" : run !== 0 && run === last ? glue : "\n\n";
      text += own;
      if (isFirst) opened = run;
      last = run;
    }
  });
  // number the list items again, because the chosen items come from two texts
  return formatMarkdown(text, "counted");
}

function sideTextsOf({ mine, theirs }: MergePlace, side: MergeSide): string[] {
  return (side === "both" ? [mine, theirs] : [side === "mine" ? mine : theirs]).filter((text) => text !== "");
}

interface FoundPlaces {
  places: MergePlace[];
  runs: UnitRun[];
}

type UnitsBySide = readonly [base: readonly DiffUnit[], mine: readonly DiffUnit[], theirs: readonly DiffUnit[]];

/** The first block of the base that is compared; `isFixed` is true if all units are items or rows of this block. */
interface BasePlace {
  from: number;
  isFixed: boolean;
}

function compareUnits(
  found: FoundPlaces,
  [old, own, other]: UnitsBySide,
  opened: SplitBlock | null,
  where: BasePlace,
): void {
  const [inOwn, inOther] = [partnersOfUnits(old, own), partnersOfUnits(old, other)];
  const context = { found, opened, run: opened ? found.runs.length - 1 : 0, where };
  let [at, atOwn, atOther] = [0, 0, 0];
  const addGapUntil = (end: number, endOwn: number, endOther: number): void =>
    addUnmatchedUnits(
      context,
      at,
      [old.slice(at, end), own.slice(atOwn, endOwn), other.slice(atOther, endOther)],
      inOwn,
      inOther,
    );
  old.forEach((unit, index) => {
    const [j, k] = [inOwn.get(unit), inOther.get(unit)];
    if (j === undefined || k === undefined) return;
    addGapUntil(index, own.indexOf(j, atOwn), other.indexOf(k, atOther));
    addMatchedUnits(context, index, unit, j, k);
    [at, atOwn, atOther] = [index + 1, own.indexOf(j, atOwn) + 1, other.indexOf(k, atOther) + 1];
  });
  addGapUntil(old.length, own.length, other.length);
}

interface PlaceSearch {
  found: FoundPlaces;
  opened: SplitBlock | null;
  run: number;
  where: BasePlace;
}

/** Finds the matching unit of the other text for each unit, equal or reworded. */
function partnersOfUnits(old: readonly DiffUnit[], now: readonly DiffUnit[]): Map<DiffUnit, DiffUnit> {
  if (old === now) return new Map(old.map((unit) => [unit, unit]));
  const pairs = new Map<DiffUnit, DiffUnit>();
  for (const { a, b } of alignParts(old, now)) if (a && b) pairs.set(a as DiffUnit, b as DiffUnit);
  return pairs;
}

function addMatchedUnits(context: PlaceSearch, index: number, base: DiffUnit, mine: DiffUnit, theirs: DiffUnit): void {
  const changed = base.key !== mine.key || base.key !== theirs.key;
  const parts = changed && !context.opened ? [base, mine, theirs].map(splitBlock) : [];
  const [a, b, c] = parts;
  if (a && b && c && a.frame === b.frame && a.frame === c.frame) {
    const { found } = context;
    found.runs.push({ glue: a.glue, start: a.start });
    // add the header row as a place, so that a table without rows has one too
    if (a.head !== "")
      addPlace({ ...context, opened: a, run: found.runs.length - 1 }, index, [base], [a.head, b.head, c.head], "none");
    const own = base === mine ? a.units : b.units;
    compareUnits(found, [a.units, own, c.units], a, { from: index, isFixed: true });
    return;
  }
  addPlace(context, index, [base], [base.source, mine.source, theirs.source], changedSides([base], [mine], [theirs]));
}

function addUnmatchedUnits(
  context: PlaceSearch,
  at: number,
  sides: UnitsBySide,
  inOwn: Map<DiffUnit, DiffUnit>,
  inOther: Map<DiffUnit, DiffUnit>,
): void {
  const [old, own, other] = sides;
  if (old.length + own.length + other.length === 0) return;
  const areAllPartners = (units: readonly DiffUnit[], partnersOf: Map<DiffUnit, DiffUnit>): boolean => {
    const known = new Set(old.map((unit) => partnersOf.get(unit)));
    return units.every((unit) => known.has(unit));
  };
  if (areAllPartners(own, inOwn) && areAllPartners(other, inOther)) {
    // nothing was inserted, so each unit was changed or removed by itself
    old.forEach((unit, index) => {
      const one = ([inOwn, inOther] as const).map((map) => [map.get(unit)].filter((found) => found !== undefined));
      const [mine = [], theirs = []] = one;
      addUnits(context, at + index, [[unit], mine, theirs]);
    });
    return;
  }
  addUnits(context, at, sides);
}

function addUnits(context: PlaceSearch, at: number, [old, own, other]: UnitsBySide): void {
  const glue = context.opened?.glue ?? "\n\n";
  const [base = "", mine = "", theirs = ""] = [old, own, other].map((units) =>
    units.map(({ source }) => source).join(glue),
  );
  addPlace(context, at, old, [base, mine, theirs], changedSides(old, own, other));
}

function addPlace(
  { found, opened, run, where }: PlaceSearch,
  at: number,
  old: readonly DiffUnit[],
  [base, mine, theirs]: readonly [string, string, string],
  by: MergePlace["by"],
): void {
  const last = old.length === 0 ? at - 1 : at + old.length - 1;
  const [from, to] = where.isFixed ? [where.from, where.from] : [Math.min(at, last), last];
  const line = old[0]?.node.position?.start.line ?? 0;
  const endLine = old.at(-1)?.node.position?.end.line ?? 0;
  const kind = opened?.kind ?? "block";
  found.places.push({ by, kind, base, mine, theirs, from, to, line, endLine, head: opened?.head ?? "", run });
}

function changedSides(
  old: readonly DiffUnit[],
  own: readonly DiffUnit[],
  other: readonly DiffUnit[],
): MergePlace["by"] {
  const [mine, theirs] = [!haveSameKeys(old, own), !haveSameKeys(old, other)];
  if (mine && theirs) return haveSameKeys(own, other) ? "none" : "both";
  return mine ? "mine" : theirs ? "theirs" : "none";
}

function haveSameKeys(one: readonly DiffUnit[], other: readonly DiffUnit[]): boolean {
  return one.length === other.length && one.every(({ key }, index) => key === other[index]?.key);
}
