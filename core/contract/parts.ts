/** Zod schemas that rows of the contract share. Named schemas have `.meta({id})` and become OpenAPI components. */
import { z } from "zod";
import { dayRefusals, isDay, readDay } from "../days.ts";
import { limits } from "../limits.ts";
import { withoutUnseen } from "../text/clean-text.ts";
import type { Reason } from "../errors.ts";
import { spokenText, type MessageWithId } from "../language/catalog.ts";

export const Id = z.uuid();
export const Time = z.iso.datetime();

/** Makes the message of an issue when a value is wrong. Sentences without values are such functions. */
type MakeSentence = () => MessageWithId;
type Issue = z.core.$ZodRawIssue;

/** Zod's option for a sentence: the message is in the reader's language, and the issue has the id for others. */
export function sentenceError(sentence: MakeSentence) {
  return { error: (issue: Issue) => addSentenceId(issue, sentence()) };
}

/** Adds the id to an issue. Zod copies it into the error. @returns the message for zod */
export function addSentenceId(issue: Issue, sentence: MessageWithId): string {
  const { id, values } = sentence;
  Object.assign(issue, { reason: { id, values } });
  return spokenText(sentence);
}

/** The issue for a value that a check refuses. */
export function issueWithSentence(sentence: MessageWithId, input: unknown): Issue {
  const issue: Issue = { code: "custom", input };
  return Object.assign(issue, { message: addSentenceId(issue, sentence) });
}

/** The message for a missing field or null; a value of another type gets the general message. */
export function missingValueError(sentence: MakeSentence) {
  return {
    error: (issue: Issue) =>
      issue.input === undefined || issue.input === null ? addSentenceId(issue, sentence()) : undefined,
  };
}

/** A required text, trimmed. A missing field and an empty one get the same message. */
export function requiredText(sentence: MakeSentence, least = 1) {
  return z.string(missingValueError(sentence)).overwrite(withoutUnseen).trim().min(least, sentenceError(sentence));
}

/** The same as it was sent: notes on its saving name what it loses. */
export function requiredTextSchema(sentence: MakeSentence) {
  return z
    .string(missingValueError(sentence))
    .trim()
    .min(1, { ...sentenceError(sentence), abort: true })
    .refine((text) => withoutUnseen(text).trim() !== "", sentenceError(sentence));
}

/** The id and values of the English text beside it, so that a client can say it in another language. */
export const SentenceId = z
  .object({ id: z.string(), values: z.record(z.string(), z.unknown() as z.ZodType<Reason["values"][string]>) })
  .meta({ id: "SentenceId" });

/** The parts of an answer that is a sentence for its reader. */
export const Message = { message: z.string(), reason: SentenceId };

export const IdParams = z.strictObject({ id: z.string().min(1).max(100) });

export const Paging = {
  limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
  cursor: z.string().max(1_500).optional(),
  total: z.enum(["true", "false"]).optional(),
};

/** The answer of every long list: `{data: […], nextCursor?, total?}`. */
export function pageSchemaOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().optional(), total: z.number().int().optional() });
}

/** A day, or the moment at which it starts in UTC. Other values are refused, so that no date is silently ignored. */
export const DayInput = z
  .string()
  .max(40)
  .overwrite((text) => readDay(text) ?? text)
  .refine(isDay, sentenceError(dayRefusals.form));

/** A day, or a moment. @param sentence must mention both forms */
export function dayOrMomentSchema(sentence: MakeSentence, { offset = false } = {}) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset })], sentenceError(sentence))
    .refine((text) => isDay(text.slice(0, 10)), sentenceError(sentence));
}

/** `published`: the SOP as readers see it, without drafts. By default, the newest version that the user sees. */
export const ReadersView = z.enum(["published"]).optional();

export const Done = z.object({ ok: z.literal(true) }).meta({ id: "Done" });

/**
 * A field that the server owns. Clients send whole records back, so a body may contain it, and the server ignores it.
 * If the value differs, the answer names the field in `X-Ignored-Fields`.
 */
export const ServerOwned = {
  text: z.string().nullish().meta({ readOnly: true }),
  number: z.number().nullish().meta({ readOnly: true }),
  flag: z.boolean().nullish().meta({ readOnly: true }),
  list: z.array(z.string()).nullish().meta({ readOnly: true }),
  records: z.array(z.looseObject({})).nullish().meta({ readOnly: true }),
  record: z.looseObject({}).nullish().meta({ readOnly: true }),
};
