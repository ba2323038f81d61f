/** Merges details and text of two saves of one SOP into one form. */
import { textWithChoices, type MergeComparison, type MergePlace, type MergeSide } from "#core/diff/places.ts";
import { comparedFields, type ComparedField } from "#core/sops/form-values.ts";
import type { SopForm } from "#core/sops/schema.ts";

export type FieldSide = "mine" | "theirs";

export function differingFields(mine: SopForm, theirs: SopForm): ComparedField[] {
  return comparedFields.filter((field) => mine[field] !== theirs[field]);
}

/**
 * Returns "mine" for a field that the user changed, otherwise "theirs".
 * @param base the known values of the version that the user's changes are based on
 */
export function sideOfField(field: ComparedField, base: Partial<SopForm>, mine: SopForm): FieldSide {
  return field in base && mine[field] !== base[field] ? "mine" : "theirs";
}

/**
 * Returns the side to take for a place: the only side that changed it, or `mine` if neither did. If both sides changed
 * it, returns undefined, and the user has to choose.
 */
export function sideOfPlace({ by }: MergePlace): MergeSide | undefined {
  return by === "both" ? undefined : by === "theirs" ? "theirs" : "mine";
}

export function mergedValues(
  mine: SopForm,
  theirs: SopForm,
  comparison: MergeComparison,
  chosen: ReadonlyMap<number, MergeSide>,
  fields: Partial<Record<ComparedField, FieldSide>>,
): SopForm {
  const own = differingFields(mine, theirs).filter((field) => fields[field] === "mine");
  return {
    ...theirs,
    ...Object.fromEntries(own.map((field) => [field, mine[field]])),
    markdown: textWithChoices(comparison, (place, index) => chosen.get(index) ?? sideOfPlace(place) ?? "mine"),
  };
}
