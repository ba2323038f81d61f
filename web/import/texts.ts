import type { ImportResult } from "#core/sops/import-schema.ts";

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

const megabyte = 2 ** 20;
/** What is needed is never said to be less than it is, nor what is free to be more. */
const megabytes = (bytes: number, round: (value: number) => number) =>
  `${(round((bytes / megabyte) * 10) / 10).toLocaleString("en")} MB`;

export const texts = {
  title: "Import documents",
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
  category: (folders: readonly string[]) => `Category: ${folders.join(" › ")}`,
  tags: (tags: readonly string[]) => `Tags: ${tags.join(", ")}`,
  onConflict: "Documents in conflict",
  importAll: (count: number) => `Import ${many(count, "document")}`,
  nothing: "Nothing to import.",
  noted: (count: number) => `${many(count, "note")}`,
  tooMany: (needed: number, free: number) =>
    `This creates ${many(needed, "new SOP")}, but your company has room for ${free}. Choose fewer files.`,
  tooLarge: (needed: number, free: number) =>
    `The images and PDFs need ${megabytes(needed, Math.ceil)}, but your company has ${megabytes(Math.max(0, free), Math.floor)} left. Choose fewer files.`,
  failed: "The import stopped. To finish, import the same files again. Nothing is imported twice.",
  unreachable: "The server didn't respond.",
  twice: "Another file has the same path",
  done: (count: number) =>
    count === 0 ? "No changes needed" : `${many(count, "document")} imported as ${count === 1 ? "a draft" : "drafts"}`,
  reading: (name: string) => `Reading ${name}…`,
  storing: (name: string) => `Storing the images of ${name}…`,
  planning: (at: number, all: number) => `Comparing ${at} of ${all}…`,
  importing: (at: number, all: number) => `Importing ${at} of ${all}…`,
} as const;

/** Without a choice, a category with the name of a folder takes its documents. */
export const folderOptions = (createsCategories: boolean) => [
  { value: "nothing", label: "Nothing new" },
  { value: "categories", label: createsCategories ? "Categories" : "Categories that exist" },
  { value: "tags", label: "Tags" },
];

export const splitOptions = [
  { value: "none", label: "Nowhere" },
  { value: "heading", label: "Headings" },
] as const;

export const conflictOptions = [
  { value: "skip", label: "Skip them" },
  { value: "copy", label: "Import as copies" },
  { value: "theirs", label: "Import as the next version" },
] as const;

export const outcomes: Record<
  ImportResult["outcome"],
  { label: string; tone: "success" | "primary" | "warning" | "destructive" | "neutral" }
> = {
  create: { label: "New", tone: "success" },
  update: { label: "Update", tone: "primary" },
  conflict: { label: "Conflict", tone: "warning" },
  duplicate: { label: "Duplicate", tone: "neutral" },
  skip: { label: "Skipped", tone: "neutral" },
  refused: { label: "Refused", tone: "destructive" },
  unknown: { label: "Not sent", tone: "neutral" },
  unchanged: { label: "Unchanged", tone: "neutral" },
};
