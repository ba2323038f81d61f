/** `POST /api/sops/import`: at most 50 documents a request, one transaction, one commit. */
import { z } from "zod";
import { limits } from "../limits.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Tags = z
  .array(
    z.string().trim().min(1).max(limits.tagCharacters, `A tag can have at most ${limits.tagCharacters} characters`),
  )
  .max(limits.tags, `An SOP can have at most ${limits.tags} tags`);

export const ImportDocument = z.strictObject({
  /** Relative path with forward slashes: names the document in every message, and is its source key without an id. */
  path: z.string().min(1).max(500),
  /** SHA-256 of the file's bytes, hex. */
  sha256,
  /** The file's text. Left out in a dry run: then only what the hash proves is answered, the rest is `unknown`. */
  text: z.string().optional(),
  /** The category of a new document: its name, then that of one inside it. Without it, the path's folders name one. */
  folders: z.array(z.string().trim().min(1).max(limits.categoryCharacters)).max(2).optional(),
  /** Tags besides those in the text. */
  tags: Tags.optional(),
});
export type ImportDocument = z.output<typeof ImportDocument>;

/** An image or PDF; `size` in bytes. */
const ImportFile = z.strictObject({ sha256, size: z.int().min(1).max(limits.asset) });

export const ImportRequest = z.strictObject({
  /** One per `sop import` run, shared by its requests. */
  importId: z.uuid(),
  documents: z.array(ImportDocument).min(1).max(limits.importDocuments),
  dryRun: z.boolean().default(false),
  /**
   * Creates no SOP, but reserves ids and numbers for the new ones, and answers them. Then documents of this import link
   * each other by number, in whatever requests they come. Asked again, it answers the same.
   */
  reserveNumbers: z.boolean().default(false),
  /** Slug or name of the category for documents whose folder or front matter names none. */
  category: z.string().max(limits.categoryCharacters).optional(),
  createCategories: z.boolean().default(false),
  onConflict: z.enum(["skip", "theirs", "copy"]).default("skip"),
  /** Images and PDFs the documents show: the answer says whether there is room for them. */
  files: z.array(ImportFile).max(limits.importFiles).optional(),
  /** The change note of every version that this creates. */
  note: z.string().max(limits.noteCharacters).optional(),
});
export type ImportRequest = z.output<typeof ImportRequest>;

export const importOutcomes = [
  "create",
  "update",
  "unchanged",
  "conflict",
  "duplicate",
  "skip",
  "refused",
  "unknown",
] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** How a text was read: what was mapped, kept or changed, with its line. */
export const ImportNote = z.object({ line: z.int().optional(), code: z.string(), message: z.string() });
export type ImportNote = z.output<typeof ImportNote>;

export const ImportResult = z.object({
  path: z.string(),
  outcome: z.enum(importOutcomes),
  id: z.string().optional(),
  number: z.string().optional(),
  title: z.string().optional(),
  version: z.int().optional(),
  /** Why it was skipped, refused or is in conflict, and the way out. */
  reason: z.string().optional(),
  /** Mapped and kept markup. */
  notes: z.array(ImportNote),
});
export type ImportResult = z.output<typeof ImportResult>;

export const ImportAnswer = z.object({
  results: z.array(ImportResult),
  quota: z.object({
    free: z.int(),
    needed: z.int(),
    /** For images and PDFs: the company's stored bytes, the bytes of the request's `files`, and the limit. */
    bytes: z.object({ used: z.int(), needed: z.int(), limit: z.int() }).optional(),
  }),
});
export type ImportAnswer = z.output<typeof ImportAnswer>;

/** The query of `POST /api/sops/import/convert`. */
export const ConvertQuery = z.strictObject({
  /** The file's name: its ending says what it is. */
  name: z.string().min(1).max(255),
  /** Stores the images in the documents; without it nothing is changed. */
  store: z.enum(["true", "false"]).default("false"),
  /** `heading`: several documents from one, cut at its headings. */
  split: z.enum(["none", "heading"]).default("none"),
});

export type ConvertQuery = z.output<typeof ConvertQuery>;

export const ConvertedFile = z.object({
  /** For the import these documents are for: its plan then names the ids of new ones. */
  importId: z.uuid(),
  /** The folder that holds all files of an archive: folders below it are categories or tags. */
  folder: z.string().optional(),
  documents: z.array(
    z.object({
      path: z.string(),
      sha256,
      text: z.string(),
      /** Places in the text that lead to other documents of the file, to be replaced by their addresses. */
      links: z.array(z.object({ start: z.int(), end: z.int(), path: z.string(), fragment: z.string() })),
      images: z.int(),
      notes: z.array(ImportNote),
    }),
  ),
  /** Images and PDFs that the documents show, each once: for the import's `files`. */
  files: z.array(ImportFile),
  /** Files that become no document, with the reason. */
  leftOut: z.array(
    z.object({
      path: z.string(),
      outcome: z.enum(["skip", "refused"]),
      reason: z.string(),
      hint: z.string().optional(),
    }),
  ),
});
export type ConvertedFile = z.output<typeof ConvertedFile>;
