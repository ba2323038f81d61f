/** What the form holds, and how it stands to what is stored. */
import type { Sop, SopForm } from "#core/sops/schema.ts";
import type { Input } from "../api.ts";

export function valuesOf(sop: Sop | null): SopForm {
  return {
    title: sop?.title ?? "",
    description: sop?.description ?? "",
    markdown: sop?.markdown ?? "",
    categoryId: sop?.categoryId ?? "",
    // editing what is under review ends the review; it never stays there by a save (design domain.md, Status)
    status: sop?.status === "under_review" ? "draft" : (sop?.status ?? "draft"),
    readTime: sop?.readTime ?? 5,
    isTemplate: sop?.isTemplate ?? false,
    changeNote: "",
    ownerId: sop?.ownerId ?? "",
    teamId: sop?.teamId ?? "",
    effectiveAt: sop?.control.effective ?? "",
    reviewBy: sop?.reviewBy ?? "",
    changeClass: "major",
  };
}

const clearable = ["ownerId", "teamId", "effectiveAt", "reviewBy"] as const;

/** What was written for one SOP, for another that is new: what others decided of the first is not taken along. */
export const asNew = (values: SopForm): SopForm => ({
  ...values,
  status: "draft",
  ...Object.fromEntries(clearable.map((field) => [field, ""])),
});

/** What nobody touched of the document's control is left out: the server knows it better. */
export function bodyOf(values: SopForm, base: Sop | null): Input<"sops", "create">["body"] {
  const {
    changeNote,
    changeClass,
    ownerId: _owner,
    teamId: _team,
    effectiveAt: _from,
    reviewBy: _review,
    ...rest
  } = values;
  const before = valuesOf(base);
  const touched = clearable.filter((field) => values[field] !== before[field]);
  return {
    ...rest,
    changeNote: changeNote.trim() || null,
    ...Object.fromEntries(touched.map((field) => [field, values[field] || null])),
    ...(changeClass === "minor" && { changeClass }),
  };
}

export const comparedFields = [
  "title",
  "description",
  "categoryId",
  "status",
  "readTime",
  "isTemplate",
  ...clearable,
] as const;
export type ComparedField = (typeof comparedFields)[number];

export function sameValues(a: SopForm, b: SopForm): boolean {
  return a.markdown === b.markdown && comparedFields.every((field) => a[field] === b[field]);
}
