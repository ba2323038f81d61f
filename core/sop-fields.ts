/**
 * The table of all fields of an SOP. Code that stores, returns, compares or edits SOPs gets the fields from here. Rows
 * with `file` are in the order of the file (`docs/spec/repository-format.md`).
 */
import { catalog } from "./language/catalog.ts";

interface SopField {
  /** The field's name in the API, in the database and in the edit form. */
  name: string;
  /**
   * The field's key in the file, in small letters and with underscores; absent for a field that the file doesn't have
   * as a row.
   */
  file?: string;
  /**
   * The type of the field's values. A `line` always has words, a `text` can be null. A field of kind `own` needs
   * separate code in each place.
   */
  kind: "own" | "line" | "text" | "relation" | "day" | "tags" | "list" | "minutes" | "flag";
  /** The maximum number of characters of a `text`; absent for other kinds. */
  most?: number;
  /** True for a field in the summary of each version, which lists show. */
  listed?: true;
  /** True for a field that was added later, so that older SOPs don't have it. */
  later?: true;
  /** The part of the edit screen with the field; absent for a field that the screen doesn't edit. */
  edited?: "page" | "drawer";
  /** False for a field that proposals don't change, because the program sets it. */
  proposed?: false;
}

export const sopFields = [
  { name: "number", kind: "own", edited: "drawer" },
  { name: "title", file: "title", kind: "line", listed: true, edited: "page" },
  { name: "description", file: "description", kind: "line", listed: true, edited: "page" },
  { name: "categoryId", kind: "own", edited: "page" },
  { name: "status", kind: "own", edited: "drawer" },
  { name: "ownerId", file: "owner", kind: "relation", listed: true, edited: "drawer" },
  { name: "teamId", file: "team", kind: "relation", listed: true, edited: "drawer" },
  { name: "tags", file: "tags", kind: "tags", listed: true, edited: "drawer" },
  { name: "satisfies", file: "satisfies", kind: "list" },
  { name: "effectiveAt", file: "effective", kind: "day", edited: "drawer" },
  {
    name: "reviewBy",
    file: "review_by",
    kind: "day",
    listed: true,
    edited: "drawer",
  },
  {
    name: "readTime",
    file: "read_minutes",
    kind: "minutes",
    listed: true,
    edited: "drawer",
    proposed: false,
  },
  { name: "isTemplate", file: "template", kind: "flag", listed: true, edited: "drawer" },
  { name: "isAiGenerated", file: "ai_generated", kind: "flag", listed: true, proposed: false },
  { name: "lang", file: "lang", kind: "text", most: 20, listed: true, edited: "drawer" },
] as const satisfies readonly SopField[];

type SopFieldRow = (typeof sopFields)[number];
type SopFieldKind = SopFieldRow["kind"];
export type FileField = Extract<SopFieldRow, { file: string }>;
type ListedSopField = Extract<SopFieldRow, { listed: true }>;
type EditedSopField = Extract<SopFieldRow, { edited: string }>;

type ByKind<Rows extends SopFieldRow, Values> = {
  [One in Rows as One["kind"] extends keyof Values ? One["name"] : never]: ValueOfRow<
    Values[One["kind"] & keyof Values]
  >;
};
type ValueOfRow<Value> = Value extends (row: never) => infer Made ? Made : Value;

export const fileFields = sopFields.filter((row): row is FileField => "file" in row);
export const listedFields = sopFields.filter((row): row is ListedSopField => "listed" in row);
export const editedFields = sopFields.filter((row): row is EditedSopField => "edited" in row);

export const fieldLabels = catalog("core.sop-fields", {
  number: "Number",
  title: "Title",
  description: "Description",
  categoryId: "Category",
  status: "Status",
  ownerId: "Owner",
  teamId: "Team",
  tags: "Tags",
  satisfies: "Satisfies",
  effectiveAt: "Effective date",
  reviewBy: "Review date",
  readTime: "Read time (min)",
  isTemplate: "Template",
  isAiGenerated: "AI Generated",
  lang: "Language",
}) satisfies Record<SopFieldRow["name"], string>;

/** Labels of fields in a comparison of two versions, where they differ from `fieldLabels`. */
export const comparisonLabels: { readonly [Name in SopFieldRow["name"]]?: string } = catalog("core.sop-fields.facts", {
  reviewBy: "Review by",
  readTime: "Read time (minutes)",
});

export function fieldsOfKinds<Of extends SopFieldKind>(...kinds: readonly Of[]) {
  return sopFields.filter((row): row is Extract<SopFieldRow, { kind: Of }> => kinds.some((kind) => kind === row.kind));
}

/**
 * Returns an object with a value for each field by its name: the value for the field's kind, or the result of a
 * function of the field's row. Fields of other kinds are left out.
 */
export function valuesByFieldName<Rows extends SopFieldRow, Values extends Partial<Record<SopFieldKind, unknown>>>(
  rows: readonly Rows[],
  values: Values,
): ByKind<Rows, Values> {
  const fields = Object.entries(values).flatMap(([kind, value]) =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => [row.name, typeof value === "function" ? (value as (one: Rows) => unknown)(row) : value] as const),
  );
  return Object.fromEntries(fields) as ByKind<Rows, Values>;
}

const none = null as string | null;

/** The empty value for each kind of field in the summary of a version. */
export const emptyValues = {
  line: "",
  text: none,
  relation: none,
  day: none,
  tags: [] as string[],
  minutes: 1,
  flag: false,
};

type LaterSopField<Rows> = Extract<Rows, { later: true }>;

/** The summary of a version, for lists. */
export type SopSummary = ByKind<Exclude<ListedSopField, LaterSopField<ListedSopField>>, typeof emptyValues> &
  Partial<ByKind<LaterSopField<ListedSopField>, typeof emptyValues>>;
