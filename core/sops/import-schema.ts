/** `POST /api/sops/import`: at most 50 documents in a request, one transaction, one commit. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { sentences } from "../language/catalog.ts";
import { SentenceId, sentenceError } from "../contract/parts.ts";

const refusals = sentences("core.sops.import-schema", {
  longTag: "A tag can have at most {most} characters",
  tags: "An SOP can have at most {most} tags",
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const Tags = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(
        limits.tagCharacters,
        sentenceError(() => refusals.longTag({ most: limits.tagCharacters })),
      ),
  )
  .max(
    limits.tags,
    sentenceError(() => refusals.tags({ most: limits.tags })),
  );

export const ImportDocument = z.strictObject({
  /**
   * The relative path with forward slashes. It names the document in every message, and identifies its source if it has
   * no id.
   */
  path: z.string().min(1).max(500),
  /** The SHA-256 of the file's bytes, in hexadecimal digits. */
  sha256,
  /**
   * The file's text. It can be absent in a dry run: the answer then contains what follows from the hash, and `unknown`
   * for the rest.
   */
  text: z.string().optional(),
  /** The version that the text was made from, if it has no `version` itself. */
  baseVersion: z.int().min(1).optional(),
  /**
   * The category of a new document: its name, then the name of a category inside it. If absent, the folders of the path
   * name one.
   */
  folders: z.array(z.string().trim().min(1).max(limits.categoryCharacters)).max(2).optional(),
  /** Tags besides those in the text. */
  tags: Tags.optional(),
});
export type ImportDocument = z.output<typeof ImportDocument>;

/** An image or PDF; `size` is in bytes. */
const ImportFile = z.strictObject({ sha256, size: z.int().min(1).max(limits.asset) });

export const ImportRequest = z.strictObject({
  /** The id of a run of `sop import`, the same in all of its requests. */
  importId: z.uuid(),
  documents: z.array(ImportDocument).min(1).max(limits.importDocuments),
  dryRun: z.boolean().default(false),
  /**
   * Reserves ids and numbers for new SOPs and returns them, without creating the SOPs. Documents of this import can
   * then link each other by number, whichever request they are in. A repeated request gets the same answer.
   */
  reserveNumbers: z.boolean().default(false),
  /** The slug or name of the category for documents whose folder or front matter names none. */
  category: z.string().max(limits.categoryCharacters).optional(),
  createCategories: z.boolean().default(false),
  /** `theirs` replaces no SOP that a document only resembles by its text. */
  onConflict: z.enum(["skip", "theirs", "copy"]).default("skip"),
  /**
   * The outcome for a document without `sop` and `id` that has the path of an SOP's file or seems to have its text: a
   * conflict, or a new SOP. `sop push` knows which files were moved, and creates.
   */
  resembling: z.enum(["conflict", "create"]).default("conflict"),
  /** The images and PDFs of the documents: the answer says whether there is room for them. */
  files: z.array(ImportFile).max(limits.importFiles).optional(),
  /** The change note of every version that the import creates. */
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

/** A note on how a text was read: the mapped, kept or changed markup, with its line. */
export const ImportNote = z.object({
  line: z.int().optional(),
  code: z.string(),
  message: z.string(),
  reason: SentenceId.optional(),
});
export type ImportNote = z.output<typeof ImportNote>;

export const ImportResult = z.object({
  path: z.string(),
  outcome: z.enum(importOutcomes),
  id: z.string().optional(),
  number: z.string().optional(),
  title: z.string().optional(),
  version: z.int().optional(),
  /** The reason why a document was skipped, refused or in conflict, with a solution. */
  reason: z.string().optional(),
  /** Set for a conflict of a document without `sop` and `id`: the way in which it resembles the SOP. */
  resembling: z.enum(["path", "text"]).optional(),
  /** Notes on mapped and kept markup. */
  notes: z.array(ImportNote),
});
export type ImportResult = z.output<typeof ImportResult>;

export const ImportAnswer = z.object({
  results: z.array(ImportResult),
  quota: z.object({
    free: z.int(),
    needed: z.int(),
    /** The bytes of images and PDFs: `used` by the company, `needed` for the request's `files`, and the limit. */
    bytes: z.object({ used: z.int(), needed: z.int(), limit: z.int() }).optional(),
  }),
});
export type ImportAnswer = z.output<typeof ImportAnswer>;

/** The query of `POST /api/sops/import/convert`. */
export const ConvertQuery = z.strictObject({
  /** The file's name, whose extension tells the format. */
  name: z.string().min(1).max(255),
  /** Stores the images of the documents; if false, nothing is changed. */
  store: z.enum(["true", "false"]).default("false"),
  /** `heading`: splits the document into several at its headings. */
  split: z.enum(["none", "heading"]).default("none"),
});

export type ConvertQuery = z.output<typeof ConvertQuery>;

export const ConvertedFile = z.object({
  /** The id of the import for these documents. Its plan then names the ids of new SOPs. */
  importId: z.uuid(),
  /** The folder that contains all files of an archive. Only folders inside it become categories or tags. */
  folder: z.string().optional(),
  documents: z.array(
    z.object({
      path: z.string(),
      sha256,
      text: z.string(),
      /** Positions in the text of links to other documents of the file. The import replaces them by addresses. */
      links: z.array(z.object({ start: z.int(), end: z.int(), path: z.string(), fragment: z.string() })),
      images: z.int(),
      notes: z.array(ImportNote),
    }),
  ),
  /** The images and PDFs of the documents, each once, for the import's `files`. */
  files: z.array(ImportFile),
  /** Files that don't become a document, with the reason. */
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
