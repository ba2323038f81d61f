/** The SOP in requests and answers (`docs/spec/entities.md`). */
import { z } from "zod";
import { grantLevels } from "../permissions/actor.ts";
import { AiPart } from "./ai-part.ts";
import {
  DayInput,
  Id,
  missingValueError,
  Paging,
  ReadersView,
  ServerOwned,
  Time,
  pageSchemaOf,
  requiredTextSchema,
  saying,
  saySentence,
  SentenceId,
} from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { byKind, editedFields, listedFields, sopFields } from "../sop-fields.ts";
import { SearchMatch } from "./search-match.ts";
import { recentRanges } from "../favorites/rules.ts";
import { ImportNote, Tags } from "./import-schema.ts";
import { sopSorts } from "./sorts.ts";
import { shownStatuses, sopStatuses } from "./statuses.ts";
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
    ...byKind(listedFields, { line: z.string() }),
    categoryId: z.string().nullable(),
    category: z.object({ name: z.string() }).nullable(),
    authorId: z.string(),
    author: PersonOnRow.nullable(),
    ownerId: z.string().nullable(),
    owner: PersonOnRow.nullable(),
    teamId: z.string().nullable(),
    status: SopStatus,
    ...byKind(listedFields, { flag: z.boolean(), minutes: z.int() }),
    views: z.int(),
    version: z.int(),
    published: PublishedVersion.nullable(),
    /**
     * The category in which readers find the published version. A draft can be in another category, whose rule that
     * version hasn't met.
     */
    publishedCategoryId: z.string().nullable(),
    scheduled: PublishedVersion.nullable(),
    ...byKind(listedFields, { day: z.string().nullable(), text: z.string().nullable(), tags: z.array(z.string()) }),
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

const title = requiredTextSchema(refusals.title).max(limits.titleCharacters);
const description = requiredTextSchema(refusals.description).max(limits.descriptionCharacters);
const text = z.string(missingValueError(refusals.content)).max(limits.document * 2);

const lang = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, saying(refusals.language));

/** The fields that a client can set. */
const writable = {
  /** The number of a new SOP, or of a draft that was never published. */
  number: z.string().nullish(),
  title,
  description,
  content: text.optional(),
  markdown: text.optional(),
  categoryId: z.string().min(1, saying(refusals.category)).max(100).nullish(),
  status: z
    .enum(sopStatuses, {
      error: (issue) =>
        issue.input === "" || issue.input === null ? saySentence(issue, refusals.status()) : undefined,
    })
    .optional(),
  ...byKind(sopFields, {
    minutes: z
      .int()
      .min(1, saying(refusals.leastMinutes))
      .max(
        limits.readMinutes,
        saying(() => refusals.mostMinutes({ most: limits.readMinutes })),
      )
      .optional(),
    flag: z.boolean().optional(),
    relation: z.string().max(100).nullish(),
    tags: Tags.optional(),
    text: z.string().max(limits.titleCharacters).nullish(),
    day: z.string().max(40).nullish(),
  }),
  lang: lang.nullish(),
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
    number: writable.number.refine(
      (number) => number === undefined || (number ?? "").trim() !== "",
      saying(refusals.number),
    ),
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
  markdown: z.string().refine((value) => value.trim() !== "", saying(refusals.content)),
  categoryId: z.string(saying(refusals.category)).min(1, saying(refusals.category)),
  status: z.enum(sopStatuses, saying(refusals.status)),
  ...byKind(editedFields, {
    minutes: z.number(saying(refusals.leastMinutes)).int().min(1, saying(refusals.leastMinutes)),
    flag: z.boolean(),
    /** Empty for none. The default owner of a new SOP is its author, and the default team is that of its category. */
    relation: z.string(),
    /** A day. An empty effective date means at publication; an empty review date means after the usual period. */
    day: z.string(),
    /** Tags, separated by commas. */
    tags: z.string(),
    text: z.string().max(limits.titleCharacters),
  }),
  /** A tag such as `de-AT`, or empty. */
  lang: z.union([z.literal(""), lang]),
});
export type SopForm = z.output<typeof SopForm>;

const timeRanges = ["7d", "30d", "3m"] as const;

export const SopQuery = z.strictObject({
  ...Paging,
  view: ReadersView,
  category: z.string().max(100).optional(),
  /** `published`: readers have a version. `scheduled`: the latest version waits for its day. An SOP can match two. */
  status: z.enum([...shownStatuses, "all"]).optional(),
  tag: z.string().min(1).max(limits.tagCharacters).optional(),
  /** A user's id or username, or `none`. */
  owner: z.string().min(1).max(100).optional(),
  /** A team's id or slug, or `none`. */
  team: z.string().min(1).max(100).optional(),
  /** A language tag. `de` includes `de-AT`. */
  lang: lang.optional(),
  /** The order; by default the best match of a search, else `-updated`. */
  sort: z.enum(sopSorts).optional(),
  facets: z.enum(["true"]).optional(),
  search: z.string().max(200).optional(),
  time: z.enum([...timeRanges, "anytime"]).optional(),
  template: z.enum(["true", "false"]).optional(),
  mine: z.enum(["true"]).optional(),
  /** Returns only favorites of the user. */
  favorite: z.enum(["true"]).optional(),
  /** Returns SOPs that the user opened or changed in this range, sorted by the last time. */
  recent: z.enum(recentRanges).optional(),
  /** Returns published SOPs with a review that is due within 30 days or overdue. */
  review: z.enum(["due"]).optional(),
});
export type SopQuery = z.output<typeof SopQuery>;

/** A value of a filter, with the number of SOPs that it leaves in the list; `label` is the text for people. */
const Facet = z.object({ value: z.string(), label: z.string(), count: z.int() });
export type Facet = z.output<typeof Facet>;
/**
 * The most frequent values of each filter, counted among the SOPs that match all other filters. In `status`, the value
 * `all` counts the SOPs that are not archived.
 */
export const SopFacets = z
  .object({
    category: z.array(Facet),
    status: z.array(Facet),
    owner: z.array(Facet),
    tag: z.array(Facet),
    team: z.array(Facet),
    lang: z.array(Facet),
  })
  .meta({ id: "SopFacets" });
export type SopFacets = z.output<typeof SopFacets>;

/** A row of the list. With a search, `match` says where the words were found. */
const ListedRow = SopRow.extend({ match: SearchMatch.optional() }).meta({ id: "ListedSop" });
export type ListedRow = z.output<typeof ListedRow>;

export const SopPage = pageSchemaOf(ListedRow).extend({
  facets: SopFacets.optional(),
  /** The corrected words, if the search words had a typo. */
  showingFor: z.string().optional(),
  /** A similar query with more answers, offered beside the answers. */
  didYouMean: z.string().optional(),
  /** True if no SOP contains all words of the search, so that the rows contain most of them. */
  mostWords: z.literal(true).optional(),
  /** Words of the company's glossary with the same meaning as words of the search. */
  alsoCalled: z.array(z.string()).optional(),
  /** Titles that are spelled like the search, if nothing was found. */
  nearTitles: z.array(z.object({ id: Id, title: z.string() })).optional(),
});

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

export const ChangeNote = z.strictObject({ changeNote: z.string().max(limits.noteCharacters).nullish() }).default({});

export const CheckAsk = z.strictObject({
  markdown: z.string(missingValueError(refusals.content)).max(512 * 1024),
  title: z.string(missingValueError(refusals.title)).max(limits.titleCharacters),
  description: z.string(missingValueError(refusals.description)).max(limits.descriptionCharacters),
  ...byKind(sopFields, {
    text: z.string().max(limits.titleCharacters).nullish(),
    day: z.union([z.literal(""), DayInput]).nullish(),
    flag: z.boolean().optional(),
  }),
  lang: z.string().max(20).nullish(),
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
