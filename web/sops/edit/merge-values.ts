/** The details of two saves of one SOP, and the text, as one form. */
import { applyChoices, type Comparison, type Place, type Side } from "#core/diff/places.ts";
import { comparedFields, type ComparedField } from "#core/sops/form-values.ts";
import type { SopForm } from "#core/sops/schema.ts";

export type FieldSide = "mine" | "theirs";

export function differingFields(mine: SopForm, theirs: SopForm): ComparedField[] {
  return comparedFields.filter((field) => mine[field] !== theirs[field]);
}

/** What I changed is mine, the rest is theirs. @param base what is known of the version mine was written on */
export function sideOfField(field: ComparedField, base: Partial<SopForm>, mine: SopForm): FieldSide {
  return field in base && mine[field] !== base[field] ? "mine" : "theirs";
}

/** What one side alone changed is taken; where both did nothing is, until it is chosen. */
export function sideOfPlace({ by }: Place): Side | undefined {
  return by === "both" ? undefined : by === "theirs" ? "theirs" : "mine";
}

export function mergedValues(
  mine: SopForm,
  theirs: SopForm,
  comparison: Comparison,
  chosen: ReadonlyMap<number, Side>,
  fields: Partial<Record<ComparedField, FieldSide>>,
): SopForm {
  const own = differingFields(mine, theirs).filter((field) => fields[field] === "mine");
  return {
    ...theirs,
    ...Object.fromEntries(own.map((field) => [field, mine[field]])),
    markdown: applyChoices(comparison, (place, index) => chosen.get(index) ?? sideOfPlace(place) ?? "mine"),
  };
}
