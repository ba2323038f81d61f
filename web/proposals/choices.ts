/** What a person takes from a proposal: places of the text, and details. `mine` is the current text, `theirs` the proposed one. */
import { applyChoices, compareTexts, type Comparison, type Place, type Side } from "#core/diff/places.ts";
import type { Proposal } from "#core/proposals/schema.ts";

export interface Chosen {
  places: ReadonlyMap<number, Side>;
  /** Keys of the details that are taken. */
  fields: ReadonlySet<string>;
}

/** Null for a new SOP, or one out of sight: there is nothing to compare with. */
export function comparisonOf({ base, current, proposed }: Proposal): Comparison | null {
  if (!current) return null;
  return compareTexts((base ?? current).markdown, current.markdown, proposed.markdown);
}

export const isChange = ({ by }: Place): boolean => by !== "none";

/** What one side alone changed is taken. Where both did, nothing is, until it is chosen. */
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

/** The proposal as it is, nothing left out and nothing of the current text beside it. */
export function isWhole({ isCurrent, fields }: Proposal, comparison: Comparison | null, chosen: Chosen): boolean {
  if (!isCurrent) return false;
  if (!comparison) return true;
  const all = comparison.places.every((place, index) => !isChange(place) || chosen.places.get(index) === "theirs");
  return all && fields.every(({ key }) => chosen.fields.has(key));
}

export function mergedText(comparison: Comparison, chosen: Chosen): string {
  return applyChoices(comparison, (_place, index) => chosen.places.get(index) ?? "mine");
}
