/** The values of the edit form, and how they compare with what is stored. */
import { tagsOf } from "./bulk.ts";
import type { z } from "zod";
import { readMinutes } from "../markdown/read-time.ts";
import { editedFields, fieldsOf } from "../sop-fields.ts";
import { numberKey } from "../numbers/numbers.ts";
import type { Sop, SopCreate, SopForm } from "./schema.ts";

/** Empty in the form, `null` in the API. */
const clearable = fieldsOf("relation", "day", "text").map(({ name }) => name);
type Clearable = (typeof clearable)[number];

export function valuesOf(sop: Sop | null): SopForm {
  const texts = Object.fromEntries(clearable.map((name) => [name, sop?.[name] ?? ""])) as Pick<SopForm, Clearable>;
  return {
    ...texts,
    number: sop?.number ?? "",
    title: sop?.title ?? "",
    description: sop?.description ?? "",
    markdown: sop?.markdown ?? "",
    categoryId: sop?.categoryId ?? "",
    // an edit makes the next draft: a save alone never publishes, and never keeps a review open
    status: sop?.status === "archived" ? "archived" : "draft",
    readTime: sop?.readTime ?? 5,
    isTemplate: sop?.isTemplate ?? false,
    tags: sop?.tags.join(", ") ?? "",
  };
}

/** What was written for one SOP, for another that is new: what others decided of the first is not taken along. */
export const asNew = (values: SopForm): SopForm => ({
  ...values,
  number: "",
  status: "draft",
  ...Object.fromEntries(fieldsOf("relation", "day").map(({ name }) => [name, ""])),
});

/** Unsaved values found in this browser, over what is stored. A wish to publish isn't restored. */
export function restored(values: Partial<SopForm>, base: Sop | null): SopForm {
  const now = valuesOf(base);
  const { status = now.status, number = "" } = values;
  return {
    ...now,
    ...values,
    number: number.trim() || now.number,
    status: status === "published" ? now.status : status,
  };
}

/**
 * A number that was not touched, or cleared, is left out: the SOP keeps its own, a new one gets the next.
 * Untouched details of document control are left out: the server knows them better. So is the form's own "draft" over
 * another stored status: unpublishing and withdrawing have buttons of their own.
 */
export function bodyOf(values: SopForm, base: Sop | null): z.input<typeof SopCreate> {
  const { number, tags, readTime, status, ...rest } = values;
  const before = valuesOf(base);
  const isOwnDraft = status === before.status && base !== null && status !== base.status;
  const isChosen = number.trim() !== "" && number !== before.number;
  const changed = (name: Clearable) => (values[name] === before[name] ? undefined : values[name] || null);
  return {
    ...rest,
    ...(isChosen && { number }),
    // counted from the text until someone sets it
    ...(readTime !== before.readTime
      ? { readTime }
      : isCounted(base)
        ? { readTime: readMinutes(values.markdown) }
        : {}),
    ...(tags !== before.tags && { tags: tagsOf(tags) }),
    ...(!isOwnDraft && { status }),
    ...Object.fromEntries(clearable.map((name) => [name, changed(name)])),
  };
}

/** No one set the read time of what is stored. */
const isCounted = (base: Sop | null): boolean => base === null || base.readTime === readMinutes(base.markdown);

/** As the server stores them: it spells the number, counts the read time and orders the tags. */
export const asCounted = (values: SopForm, { number, readTime, tags }: Sop): SopForm => ({
  ...values,
  number: ["", numberKey(number)].includes(numberKey(values.number.trim())) ? number : values.number,
  readTime,
  tags: tagsOf(values.tags).join(", ") === tags.join(", ") ? tags.join(", ") : values.tags,
});

/** As the form of a new SOP still shows what is stored: nothing, where the server chose a value. */
export function asWritten(stored: SopForm, form: SopForm): SopForm {
  const none = valuesOf(null);
  const chosen = (["number", "readTime", ...clearable] as const).filter((field) => form[field] === none[field]);
  return { ...stored, ...Object.fromEntries(chosen.map((field) => [field, none[field]])) };
}

/** The fields of the edit screen beside the text. */
export const comparedFields = editedFields.map(({ name }) => name);
export type ComparedField = (typeof comparedFields)[number];

export const formFields = [...comparedFields, "markdown"] as const;

export function sameValues(a: SopForm, b: SopForm): boolean {
  return a.markdown === b.markdown && comparedFields.every((field) => a[field] === b[field]);
}
