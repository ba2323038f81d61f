/** Zod schemas that several routes share. Schemas with `.meta({id})` become OpenAPI components. */
import { z } from "zod";
import { dayRefusals, isDay, readDay } from "../days.ts";
import { limits } from "../limits.ts";
import { withoutUnseenCharacters } from "../text/clean-text.ts";
import type { Reason } from "../errors.ts";
import { spokenText, type MessageWithId } from "../language/catalog.ts";

export const Id = z.uuid();
export const Time = z.iso.datetime();

/** Creates the message for a wrong value. Each sentence without values of a catalog is such a function. */
type MakeSentence = () => MessageWithId;
type Issue = z.core.$ZodRawIssue;

/**
 * Returns the zod option that sets an error message: in the reader's language, with the sentence's id for other
 * languages.
 */
export function sentenceError(sentence: MakeSentence) {
  return { error: (issue: Issue) => addSentenceId(issue, sentence()) };
}

/**
 * Adds the sentence's id and values to an issue; zod copies them into the error. @returns the message in the reader's
 * language
 */
export function addSentenceId(issue: Issue, sentence: MessageWithId): string {
  const { id, values } = sentence;
  Object.assign(issue, { reason: { id, values } });
  return spokenText(sentence);
}

/** Creates the zod issue for a value that a check refuses. */
export function issueWithSentence(sentence: MessageWithId, input: unknown): Issue {
  const issue: Issue = { code: "custom", input };
  return Object.assign(issue, { message: addSentenceId(issue, sentence) });
}

/**
 * Returns the zod option with the message for a missing field or null. A value of another type gets zod's general
 * message.
 */
export function missingValueError(sentence: MakeSentence) {
  return {
    error: (issue: Issue) =>
      issue.input === undefined || issue.input === null ? addSentenceId(issue, sentence()) : undefined,
  };
}

/**
 * A schema for a required text, trimmed and without invisible characters. A missing field and an empty one get the same
 * message.
 */
export function requiredCleanTextSchema(sentence: MakeSentence, least = 1) {
  return z
    .string(missingValueError(sentence))
    .overwrite(withoutUnseenCharacters)
    .trim()
    .min(least, sentenceError(sentence));
}

/**
 * A schema like `requiredCleanTextSchema` that keeps invisible characters, because a save reports which of these
 * characters it removed.
 */
export function requiredRawTextSchema(sentence: MakeSentence) {
  return z
    .string(missingValueError(sentence))
    .trim()
    .min(1, { ...sentenceError(sentence), abort: true })
    .refine((text) => withoutUnseenCharacters(text).trim() !== "", sentenceError(sentence));
}

/** The id and values of the sentence in `message`, so that a client can translate it. */
export const SentenceId = z
  .object({ id: z.string(), values: z.record(z.string(), z.unknown() as z.ZodType<Reason["values"][string]>) })
  .meta({ id: "SentenceId" });

/** Fields of an answer with a sentence for its reader. */
export const Message = { message: z.string(), reason: SentenceId };

export const IdParams = z.strictObject({ id: z.string().min(1).max(100) });

export const Paging = {
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
  cursor: z.string().max(1_500).optional(),
  total: z.enum(["true", "false"]).optional(),
};

/** Returns the schema of one page of a long list: `{data: […], nextCursor?, total?}`. */
export function pageSchemaOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().optional(), total: z.number().int().optional() });
}

/**
 * A schema for a day, or for the moment at which a day starts in UTC. Other moments are refused, because their time
 * would be ignored.
 */
export const DayInput = z
  .string()
  .max(40)
  .overwrite((text) => readDay(text) ?? text)
  .refine(isDay, sentenceError(dayRefusals.form));

/** Returns a schema for a day or a moment. @param sentence the message for other values; it must mention both forms */
export function dayOrMomentSchema(sentence: MakeSentence, { offset = false } = {}) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset })], sentenceError(sentence))
    .refine((text) => isDay(text.slice(0, 10)), sentenceError(sentence));
}

/**
 * `published` asks for the SOP as readers see it, without drafts. By default, it is the newest version that the user
 * sees.
 */
export const ReadersView = z.enum(["published"]).optional();

export const Done = z.object({ ok: z.literal(true) }).meta({ id: "Done" });

/**
 * Schemas of fields that only the server sets. Clients send whole records back, so a body may contain them. If a value
 * differs, the answer names the field in `X-Ignored-Fields`.
 */
export const ServerOwned = {
  text: z.string().nullish().meta({ readOnly: true }),
  number: z.number().nullish().meta({ readOnly: true }),
  flag: z.boolean().nullish().meta({ readOnly: true }),
  list: z.array(z.string()).nullish().meta({ readOnly: true }),
  records: z.array(z.looseObject({})).nullish().meta({ readOnly: true }),
  record: z.looseObject({}).nullish().meta({ readOnly: true }),
};
