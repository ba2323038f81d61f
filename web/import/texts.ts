import { catalog } from "#core/language/catalog.ts";
import type { ImportResult } from "#core/sops/import-schema.ts";

const megabyte = 2 ** 20;
/**
 * Returns bytes as megabytes in words.
 * @param round rounds up a needed size and down a free one, so that neither looks better than it is
 */
export const megabytesText = (bytes: number, round: (value: number) => number) =>
  texts.megabytes({ size: round((bytes / megabyte) * 10) / 10 });

export const texts = catalog("import", {
  title: "Import documents",
  megabytes: "{size, number} MB",
  hint: "Everything becomes a draft. You see a plan before anything is added.",
  choose: "Files",
  folder: "Folder",
  drop: "Drop a folder, Markdown, Word or HTML files, or a zip from Notion, Confluence or Google Docs.",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  readingFiles: "Reading the files…",
  cancel: "Cancel",
  close: "Close",
  back: "Other files",
  folders: "Folders become",
  split: "Split long documents at",
  category: "Category: {folders}",
  tags: "Tags: {tags}",
  onConflict: "Documents in conflict",
  importAll: "Import {count, plural, one {# document} other {# documents}}",
  nothing: "Nothing to import.",
  noted: "{count, plural, one {# note} other {# notes}}",
  tooMany:
    "This creates {needed, plural, one {# new SOP} other {# new SOPs}}, but your company has room for {free, number}. Choose fewer files.",
  tooLarge: "The images and PDFs need {needed}, but your company has {free} left. Choose fewer files.",
  failed: "The import stopped. To finish, import the same files again. Nothing is imported twice.",
  unreachable: "The server didn't respond.",
  twice: "Another file has the same path",
  done: "{count, plural, =0 {No changes needed} one {# document imported as a draft} other {# documents imported as drafts}}",
  reading: "Reading {name}…",
  storing: "Storing the images of {name}…",
  planning: "Comparing {at} of {all, number}…",
  importing: "Importing {at} of {all, number}…",
});

/** Names of the options for folders. With `nothing`, a document still goes to a category that has its folder's name. */
export const folderTexts = catalog("import.folders", {
  nothing: "Nothing new",
  categories: "Categories",
  tags: "Tags",
});
export const existingCategoryTexts = catalog("import.existing", { categories: "Categories that exist" });
export const splitTexts = catalog("import.splits", { none: "Nowhere", heading: "Headings" });
export const conflictTexts = catalog("import.conflicts", {
  skip: "Skip them",
  copy: "Import as copies",
  theirs: "Import as the next version",
});

export const outcomeTexts = catalog("import.outcomes", {
  create: "New",
  update: "Update",
  conflict: "Conflict",
  duplicate: "Duplicate",
  skip: "Skipped",
  refused: "Refused",
  unknown: "Not sent",
  unchanged: "Unchanged",
}) satisfies Record<ImportResult["outcome"], string>;

export const outcomeTones = {
  create: "success",
  update: "primary",
  conflict: "warning",
  duplicate: "neutral",
  skip: "neutral",
  refused: "destructive",
  unknown: "neutral",
  unchanged: "neutral",
} as const satisfies Record<ImportResult["outcome"], string>;
