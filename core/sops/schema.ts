/** The SOP in requests and answers (`docs/spec/entities.md`). */
import { z } from "zod";
import { grantLevels } from "../permissions/actor.ts";
import { AiPart } from "./ai-part.ts";
import {
  DayInput,
  Id,
  missingValueError,
  ReadersView,
  ServerOwned,
  Time,
  requiredRawTextSchema,
  sentenceError,
  addSentenceId,
  SentenceId,
} from "../contract/parts.ts";
import { pdfStandards } from "../export/printing.ts";
import { limits } from "../limits.ts";
import { valuesByFieldName, editedFields, listedFields, sopFields } from "../sop-fields.ts";
import { ImportNote, Tags } from "./import-schema.ts";
import { sopStatuses } from "./statuses.ts";
import { changeClasses, Signature, SopControl } from "./control.ts";
import { fieldRefusals as refusals } from "./field-refusals.ts";

const SopStatus = z.enum(sopStatuses);
const PublishedVersion = z.object({ version: z.int(), effectiveAt: Time.nullable() });

const OwnGrant = z.object({
  userId: z.string().nullable(),
  teamId: z.string().nullable(),
  permission: z.enum(grantLevels),
});

const PersonOnRow = z.object({
  name: z.string(),
  initials: z.string(),
  username: z.string(),
  /** True if another user of the company has the same name, so that screens show the username beside it. */
  hasNamesake: z.boolean(),
});

/** A row of the list: everything except for the text. */
export const SopRow = z
  .object({
    id: Id,
    companyId: Id,
    number: z.string(),
    slug: z.string(),
    ...valuesByFieldName(listedFields, { line: z.string() }),
    categoryId: z.string().nullable(),
    category: z.object({ name: z.string() }).nullable(),
    authorId: z.string(),
    author: PersonOnRow.nullable(),
    ownerId: z.string().nullable(),
    owner: PersonOnRow.nullable(),
    teamId: z.string().nullable(),
    status: SopStatus,
    ...valuesByFieldName(listedFields, { flag: z.boolean(), minutes: z.int() }),
    views: z.int(),
    version: z.int(),
    published: PublishedVersion.nullable(),
    /**
     * The category in which readers find the published version. A draft can be in another category, whose rule that
     * version hasn't met.
     */
    publishedCategoryId: z.string().nullable(),
    scheduled: PublishedVersion.nullable(),
    ...valuesByFieldName(listedFields, {
      day: z.string().nullable(),
      text: z.string().nullable(),
      tags: z.array(z.string()),
    }),
    restricted: z.boolean(),
    /** The grants of the user and of the user's teams, without others. */
    grants: z.array(OwnGrant),
    /** Contains the user if a pending approval request names this user; without other approvers. */
    approvers: z.array(z.string()),
    /** True if that request waits for the user's decision. */
    waitsForMe: z.boolean(),
    contentHash: z.string(),
    createdAt: Time,
    updatedAt: Time,
    favorite: z.boolean(),
  })
  .meta({ id: "SopRow" });
export type SopRow = z.output<typeof SopRow>;

export const Sop = SopRow.extend({
  /** The effective date in the text of the shown version: `YYYY-MM-DD`. The date that applies is in `control`. */
  effectiveAt: z.string().nullable(),
  /** Sanitised HTML. */
  content: z.string(),
  markdown: z.string(),
  control: SopControl,
}).meta({ id: "Sop" });
export type Sop = z.output<typeof Sop>;

export const SavedSop = Sop.extend({
  /** Differences between the stored text and the sent one; absent if both say the same. */
  notes: z.array(ImportNote).optional(),
}).meta({ id: "SavedSop" });

/** The SOPs that link to an SOP. */
export const SopLinksAnswer = z
  .object({
    /** The linking SOPs by number, at most 200. */
    data: z.array(
      z.object({
        id: Id,
        number: z.string(),
        title: z.string(),
        status: SopStatus,
        /** True if only the latest version has the link, so that readers don't have it yet. */
        draftOnly: z.boolean(),
      }),
    ),
    total: z.int(),
  })
  .meta({ id: "SopLinks" });
export type SopLinksAnswer = z.output<typeof SopLinksAnswer>;

const title = requiredRawTextSchema(refusals.title).max(limits.titleCharacters);
const description = requiredRawTextSchema(refusals.description).max(limits.descriptionCharacters);
const text = z.string(missingValueError(refusals.content)).max(limits.document * 2);

type TextField = Extract<(typeof sopFields)[number], { kind: "text" }>;
const textOfRow = ({ most }: TextField) =>
  z.string().max(
    most,
    sentenceError(() => refusals.longText({ most })),
  );

/** A language tag. */
export const Lang = valuesByFieldName(sopFields, { text: textOfRow }).lang.regex(
  /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  sentenceError(refusals.language),
);

/** The fields that a client can set. */
const writable = {
  /** The number of a new SOP, or of a draft that was never published. */
  number: z
    .string()
    .refine((number) => number.trim() !== "", sentenceError(refusals.number))
    .nullish(),
  title,
  description,
  content: text.optional(),
  markdown: text.optional(),
  categoryId: z.string().min(1, sentenceError(refusals.category)).max(100).nullish(),
  status: z
    .enum(sopStatuses, {
      error: (issue) =>
        issue.input === "" || issue.input === null ? addSentenceId(issue, refusals.status()) : undefined,
    })
    .optional(),
  ...valuesByFieldName(sopFields, {
    minutes: z
      .int()
      .min(1, sentenceError(refusals.leastMinutes))
      .max(
        limits.readMinutes,
        sentenceError(() => refusals.mostMinutes({ most: limits.readMinutes })),
      )
      .optional(),
    flag: z.boolean().optional(),
    relation: z.string().max(100).nullish(),
    tags: Tags.optional(),
    text: (row: TextField) => textOfRow(row).nullish(),
    day: z.string().max(40).nullish(),
  }),
  lang: Lang.nullish(),
  changeNote: z.string().max(limits.noteCharacters).nullish(),
  changeClass: z.enum(changeClasses).optional(),
  /** AI calls whose answers are part of the text, with the `ai.callId` of each. The version records them. */
  aiCalls: z.array(Id).max(limits.aiCalls).optional(),
};

/** Fields of an answer that clients send back with the whole record. They are accepted and ignored. */
const serverOwned = {
  id: ServerOwned.text,
  companyId: ServerOwned.text,
  slug: ServerOwned.text,
  category: ServerOwned.record,
  authorId: ServerOwned.text,
  author: ServerOwned.record,
  owner: ServerOwned.record,
  views: ServerOwned.number,
  version: ServerOwned.number,
  published: ServerOwned.record,
  publishedCategoryId: ServerOwned.text,
  scheduled: ServerOwned.record,
  control: ServerOwned.record,
  ai: ServerOwned.record,
  notes: ServerOwned.records,
  restricted: ServerOwned.flag,
  favorite: ServerOwned.flag,
  grants: ServerOwned.records,
  approvers: ServerOwned.list,
  waitsForMe: ServerOwned.flag,
  contentHash: ServerOwned.text,
  createdAt: ServerOwned.text,
  updatedAt: ServerOwned.text,
};

export const SopCreate = z
  .strictObject({
    ...serverOwned,
    ...writable,
    /** The id of the SOP that the text was copied from. The authors of its unpublished words can't approve the copy. */
    copyOf: Id.optional(),
  })
  .meta({ id: "SopCreate" });
export type SopCreate = z.output<typeof SopCreate>;

/** The fields to change. An absent field stays as it is; `null` clears an optional one. */
export const SopUpdate = z
  .strictObject({
    ...serverOwned,
    ...writable,
    number: writable.number.refine((number): boolean => number !== null, sentenceError(refusals.number)),
    title: title.optional(),
    description: description.optional(),
    /** True if a pause while editing saves the version, not the user. The history groups such versions of an hour. */
    automatic: z.literal(true).optional(),
  })
  .meta({ id: "SopUpdate" });
export type SopUpdate = z.output<typeof SopUpdate>;

/** The edit form: stricter than the API (`docs/spec/entities.md`). */
export const SopForm = z.object({
  /** Empty for the next number; for a stored SOP, empty keeps its number. */
  number: z.string(),
  title,
  description,
  markdown: z.string().refine((value) => value.trim() !== "", sentenceError(refusals.content)),
  categoryId: z.string(sentenceError(refusals.category)).min(1, sentenceError(refusals.category)),
  status: z.enum(sopStatuses, sentenceError(refusals.status)),
  ...valuesByFieldName(editedFields, {
    minutes: z.number(sentenceError(refusals.leastMinutes)).int().min(1, sentenceError(refusals.leastMinutes)),
    flag: z.boolean(),
    /** The id of an owner or team; empty for none. A new SOP has its author as owner and the team of its category. */
    relation: z.string(),
    /** A day. An empty effective date means at publication; an empty review date means after the usual period. */
    day: z.string(),
    /** Tags, separated by commas. */
    tags: z.string(),
    text: textOfRow,
  }),
  /** A tag such as `de-AT`, or empty. */
  lang: z.union([z.literal(""), Lang]),
});
export type SopForm = z.output<typeof SopForm>;

export const SopVersionRow = z
  .object({
    id: Id,
    sopId: Id,
    version: z.int(),
    title: z.string(),
    description: z.string(),
    changedBy: z.object({ id: z.string(), name: z.string(), username: z.string().optional() }),
    changeNote: z.string().nullable(),
    changeClass: z.enum(changeClasses),
    contentHash: z.string(),
    restores: z.int().nullable(),
    /** The approvers of this version, with their names at that time; empty without approvals. */
    approvedBy: z.array(Signature),
    isCurrent: z.boolean(),
    isInForce: z.boolean(),
    commit: z.string().nullable(),
    /** The AI's part in the text. */
    ai: z.array(AiPart),
    /** True if a pause while editing saved the version. */
    automatic: z.literal(true).optional(),
    createdAt: Time,
  })
  .meta({ id: "SopVersionRow" });

export const SopVersion = SopVersionRow.extend({ content: z.string(), markdown: z.string() }).meta({
  id: "SopVersion",
});

/** The query of an export of an SOP. */
export const ExportQuery = z
  .strictObject({
    format: z.enum(["md", "json", "html", "pdf", "docx"]).default("md"),
    /** The standard of a PDF: `a-2b` is PDF/A for archives. */
    standard: z.enum(pdfStandards).optional(),
    version: z.coerce.number().int().min(1).optional(),
    view: ReadersView,
  })
  .refine(({ format, standard }) => format === "pdf" || standard === undefined, {
    ...sentenceError(refusals.standard),
    path: ["standard"],
  });

export const ChangeNote = z.strictObject({ changeNote: z.string().max(limits.noteCharacters).nullish() }).default({});

export const CheckAsk = z.strictObject({
  markdown: z.string(missingValueError(refusals.content)).max(512 * 1024),
  title: z.string(missingValueError(refusals.title)).max(limits.titleCharacters),
  description: z.string(missingValueError(refusals.description)).max(limits.descriptionCharacters),
  ...valuesByFieldName(sopFields, {
    text: (row: TextField) => textOfRow(row).nullish(),
    day: z.union([z.literal(""), DayInput]).nullish(),
    flag: z.boolean().optional(),
  }),
});
/**
 * Lines, columns (from 1) and offsets refer to `markdown`. Line 0 stands for the title, the description and other
 * fields.
 */
export const CheckedText = z
  .object({
    findings: z.array(
      z.object({
        rule: z.string(),
        severity: z.enum(["error", "warning", "info"]),
        message: z.string(),
        reason: SentenceId.optional(),
        line: z.int(),
        column: z.int(),
        endLine: z.int(),
        endColumn: z.int(),
        fix: z
          .object({
            safe: z.boolean(),
            edits: z.array(z.object({ start: z.int(), end: z.int(), text: z.string() })),
          })
          .optional(),
        /** True for a finding that blocks submitting and publishing. */
        stops: z.boolean(),
      }),
    ),
    /** The number of findings that the answer leaves out. */
    more: z.int(),
  })
  .meta({ id: "CheckedText" });
export type CheckedText = z.output<typeof CheckedText>;

export const PreviewAsk = CheckAsk.pick({ markdown: true });
/** `content` is sanitised HTML, as the view shows it. */
export const Preview = z.object({ content: z.string() }).meta({ id: "Preview" });
