/** The difference between two versions of an SOP, and the periods in which versions were published. */
import { z } from "zod";
import { dayOrMomentSchema, Id, ReadersView, Time } from "../contract/parts.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.diff.schema", {
  moment: "Write a day as YYYY-MM-DD or a time as YYYY-MM-DDThh:mm:ssZ",
});

const version = z.coerce.number().int().min(1).max(1_000_000);

/**
 * The versions to compare. By default, the published version (or the version before the latest) is compared with the
 * latest one that the user sees.
 */
export const DiffQuery = z.strictObject({ from: version.optional(), to: version.optional() });

const blockKinds = ["same", "added", "removed", "changed", "moved"] as const;

/** One heading, paragraph, list item, table … as sanitised HTML; differences are in `ins` and `del`. */
export const DiffBlock = z.object({
  kind: z.enum(blockKinds),
  /** For a moved block: `from` marks its old position, `to` its new one. */
  place: z.enum(["from", "to"]).optional(),
  html: z.string(),
});
export type DiffBlock = z.output<typeof DiffBlock>;

/** A field of the front matter, as text; null for a version without the field. */
export const DiffFact = z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() });
export type DiffFact = z.output<typeof DiffFact>;

/** Whole lines of Markdown, each with its line break. */
export const DiffLines = z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() });
export type DiffLines = z.output<typeof DiffLines>;

export const SopDiff = z
  .object({
    from: z.int(),
    to: z.int(),
    facts: z.array(DiffFact),
    blocks: z.array(DiffBlock),
    markdown: z.array(DiffLines),
  })
  .meta({ id: "SopDiff" });
export type SopDiff = z.output<typeof SopDiff>;

/** The period in which a version was published; `until` is null while the version is published. */
export const PublishedPeriod = z
  .object({
    id: Id,
    sopId: Id,
    version: z.int(),
    title: z.string(),
    contentHash: z.string(),
    from: Time,
    until: Time.nullable(),
  })
  .meta({ id: "ForcePeriod" });
export type PublishedPeriod = z.output<typeof PublishedPeriod>;

/** A day, `2027-03-14`, means its end in UTC; a time means that moment. */
const Moment = dayOrMomentSchema(refusals.moment, { offset: true });

export const SopGetQuery = z.strictObject({ at: Moment.optional(), view: ReadersView });
