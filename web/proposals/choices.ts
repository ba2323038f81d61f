/**
 * The parts of a proposal that a person accepts: places of the text, and details. `mine` is the current text, `theirs`
 * the proposed one.
 */
import { applyChoices, compareTexts, type Comparison, type Place, type Side } from "#core/diff/places.ts";
import type { Proposal } from "#core/proposals/schema.ts";

export interface Chosen {
  places: ReadonlyMap<number, Side>;
  /** Keys of the accepted details. */
  fields: ReadonlySet<string>;
}

/** Returns null for a new SOP, or for one that the user can't see, because there is no text to compare with. */
export function comparisonOf({ base, current, proposed }: Proposal): Comparison | null {
  if (!current) return null;
  return compareTexts((base ?? current).markdown, current.markdown, proposed.markdown);
}

export const isChange = ({ by }: Place): boolean => by !== "none";

/** Preselects changes that only one side made. A place that both sides changed has no choice yet. */
export function firstChoices({ fields }: Proposal, comparison: Comparison | null): Chosen {
  const places = (comparison?.places ?? []).flatMap(({ by }, index): [number, Side][] =>
    by === "theirs" ? [[index, "theirs"]] : by === "mine" ? [[index, "mine"]] : [],
  );
  const taken = fields.flatMap(({ key, by }) => (by === "proposed" ? [key] : []));
  return { places: new Map(places), fields: new Set(taken) };
}

export function openPlaces({ places }: Comparison, chosen: Chosen): number {
  return places.filter((place, index) => isChange(place) && !chosen.places.has(index)).length;
}

/** Says whether the choices accept the whole proposal and keep no other text. */
export function isWhole({ isCurrent, fields }: Proposal, comparison: Comparison | null, chosen: Chosen): boolean {
  if (!isCurrent) return false;
  if (!comparison) return true;
  const all = comparison.places.every((place, index) => !isChange(place) || chosen.places.get(index) === "theirs");
  return all && fields.every(({ key }) => chosen.fields.has(key));
}

export function mergedText(comparison: Comparison, chosen: Chosen): string {
  return applyChoices(comparison, (_place, index) => chosen.places.get(index) ?? "mine");
}
