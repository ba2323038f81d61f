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
  };
}

export function bodyOf({ changeNote, ...values }: SopForm): Input<"sops", "create">["body"] {
  return { ...values, changeNote: changeNote.trim() || null };
}

export const comparedFields = ["title", "description", "categoryId", "status", "readTime", "isTemplate"] as const;
export type ComparedField = (typeof comparedFields)[number];

export function sameValues(a: SopForm, b: SopForm): boolean {
  return a.markdown === b.markdown && comparedFields.every((field) => a[field] === b[field]);
}
