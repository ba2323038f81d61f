/**
 * Stores which parts of a proposal a user accepts: changes of the text, and of details such as the title. `mine` is the
 * current text, `theirs` the proposed text.
 */
import { textWithChoices, compareWithBase, type MergeComparison, type MergeSide } from "#core/diff/places.ts";
import type { Proposal } from "#core/proposals/schema.ts";
import { isChangedPlace } from "../proposed-changes/entries.ts";

export interface ChosenChanges {
  /** The chosen side of each decided place, by the index of the place. */
  places: ReadonlyMap<number, MergeSide>;
  /** Keys of the accepted details. */
  fields: ReadonlySet<string>;
}

/** Returns null for a new SOP, or for one that the user can't see, because there is no text to compare with. */
export function proposalComparisonOf({ base, current, proposed }: Proposal): MergeComparison | null {
  if (!current) return null;
  return compareWithBase((base ?? current).markdown, current.markdown, proposed.markdown);
}

/** Preselects changes that only one side made. Where both sides changed the text, the user has to choose. */
export function initialChoices({ fields }: Proposal, comparison: MergeComparison | null): ChosenChanges {
  const places = (comparison?.places ?? []).flatMap(({ by }, index): [number, MergeSide][] =>
    by === "theirs" ? [[index, "theirs"]] : by === "mine" ? [[index, "mine"]] : [],
  );
  const taken = fields.flatMap(({ key, by }) => (by === "proposed" ? [key] : []));
  return { places: new Map(places), fields: new Set(taken) };
}

export function countUndecidedPlaces({ places }: MergeComparison, chosen: ChosenChanges): number {
  return places.filter((place, index) => isChangedPlace(place) && !chosen.places.has(index)).length;
}

/** Says whether the choices accept the whole proposal and keep no other text. */
export function acceptsWholeProposal(
  { isCurrent, fields }: Proposal,
  comparison: MergeComparison | null,
  chosen: ChosenChanges,
): boolean {
  if (!isCurrent) return false;
  if (!comparison) return true;
  const all = comparison.places.every(
    (place, index) => !isChangedPlace(place) || chosen.places.get(index) === "theirs",
  );
  return all && fields.every(({ key }) => chosen.fields.has(key));
}

export function mergedText(comparison: MergeComparison, chosen: ChosenChanges): string {
  return textWithChoices(comparison, (_place, index) => chosen.places.get(index) ?? "mine");
}
