/** The values of the edit form, and their comparison with the stored SOP. */
import { parseTagList } from "./bulk.ts";
import type { z } from "zod";
import { readingMinutesOf } from "../markdown/read-time.ts";
import { editedFields, fieldsOfKinds } from "../sop-fields.ts";
import { numberKey } from "../numbers/numbers.ts";
import type { Sop, SopCreate, SopForm } from "./schema.ts";

/** Fields that are empty in the form and `null` in the API. */
const clearable = fieldsOfKinds("relation", "day", "text").map(({ name }) => name);
type Clearable = (typeof clearable)[number];

export function sopFormValuesOf(sop: Sop | null): SopForm {
  const texts = Object.fromEntries(clearable.map((name) => [name, sop?.[name] ?? ""])) as Pick<SopForm, Clearable>;
  return {
    ...texts,
    number: sop?.number ?? "",
    title: sop?.title ?? "",
    description: sop?.description ?? "",
    markdown: sop?.markdown ?? "",
    categoryId: sop?.categoryId ?? "",
    // a save without a chosen status makes a draft, also of a published SOP or one under review
    status: sop?.status === "archived" ? "archived" : "draft",
    readTime: sop?.readTime ?? 5,
    isTemplate: sop?.isTemplate ?? false,
    tags: sop?.tags.join(", ") ?? "",
  };
}

/**
 * Makes values for a new SOP from those of another one. Decisions of other people, such as owner and dates, are
 * removed.
 */
export const formValuesForCopy = (values: SopForm): SopForm => ({
  ...values,
  number: "",
  status: "draft",
  ...Object.fromEntries(fieldsOfKinds("relation", "day").map(({ name }) => [name, ""])),
});

/** Merges unsaved values from this browser into the stored ones. The status `published` isn't restored. */
export function formValuesOfDraft(values: Partial<SopForm>, base: Sop | null): SopForm {
  const now = sopFormValuesOf(base);
  const { status = now.status, number = "" } = values;
  return {
    ...now,
    ...values,
    number: number.trim() || now.number,
    status: status === "published" ? now.status : status,
  };
}

/**
 * The body of a save. An untouched or cleared number is left out: the SOP keeps its number, and a new SOP gets the next
 * one. Untouched fields of document control are left out, because the server has newer values. The form's own "draft"
 * is left out if another status is stored, because unpublishing and withdrawing have separate buttons.
 */
export function saveBodyOf(values: SopForm, base: Sop | null): z.input<typeof SopCreate> {
  const { number, tags, readTime, status, ...rest } = values;
  const before = sopFormValuesOf(base);
  const isOwnDraft = status === before.status && base !== null && status !== base.status;
  const isChosen = number.trim() !== "" && number !== before.number;
  const changedValue = (name: Clearable) => (values[name] === before[name] ? undefined : values[name] || null);
  return {
    ...rest,
    ...(isChosen && { number }),
    // the reading time is counted from the text until a user sets it
    ...(readTime !== before.readTime
      ? { readTime }
      : isReadTimeCounted(base)
        ? { readTime: readingMinutesOf(values.markdown) }
        : {}),
    ...(tags !== before.tags && { tags: parseTagList(tags) }),
    ...(!isOwnDraft && { status }),
    ...Object.fromEntries(clearable.map((name) => [name, changedValue(name)])),
  };
}

/** Tells whether the reading time of the stored SOP was counted from its text, and not set by a user. */
const isReadTimeCounted = (base: Sop | null): boolean =>
  base === null || base.readTime === readingMinutesOf(base.markdown);

/** The values as the server stores them: it spells the number, counts the reading time and orders the tags. */
export const asStoredForm = (values: SopForm, { number, readTime, tags }: Sop): SopForm => ({
  ...values,
  number: ["", numberKey(number)].includes(numberKey(values.number.trim())) ? number : values.number,
  readTime,
  tags: parseTagList(values.tags).join(", ") === tags.join(", ") ? tags.join(", ") : values.tags,
});

/** The stored values as the form of a new SOP still shows them: fields that the server filled in stay empty. */
export function withUnfilledFields(stored: SopForm, form: SopForm): SopForm {
  const none = sopFormValuesOf(null);
  const chosen = (["number", "readTime", ...clearable] as const).filter((field) => form[field] === none[field]);
  return { ...stored, ...Object.fromEntries(chosen.map((field) => [field, none[field]])) };
}

/** The names of the fields of the edit screen, without the text. */
export const comparedFields = editedFields.map(({ name }) => name);
export type ComparedField = (typeof comparedFields)[number];

export const formFields = [...comparedFields, "markdown"] as const;

export function haveSameValues(a: SopForm, b: SopForm): boolean {
  return a.markdown === b.markdown && comparedFields.every((field) => a[field] === b[field]);
}
