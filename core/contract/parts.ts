/** Zod schemas that rows of the contract share. Named schemas have `.meta({id})` and become OpenAPI components. */
import { z } from "zod";
import { dayMessage, isDay, readDay } from "../days.ts";
import { limits } from "../limits.ts";
import { withoutUnseen } from "../text/clean-text.ts";

export const Id = z.uuid();
export const Time = z.iso.datetime();

/** The message for a missing field or null; a value of another type gets the general message. */
export function missingValueError(message: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? message : undefined) };
}

/** A required text, trimmed. A missing field and an empty one get the same message. */
export function requiredText(message: string, least = 1) {
  return z.string(missingValueError(message)).overwrite(withoutUnseen).trim().min(least, message);
}

/** The same as it was sent: notes on its saving name what it loses. */
export function requiredAsSent(message: string) {
  return z
    .string(missingValueError(message))
    .trim()
    .min(1, { error: message, abort: true })
    .refine((text) => withoutUnseen(text).trim() !== "", message);
}

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
  .refine(isDay, dayMessage);

/** A day, or a moment. @param message must mention both forms */
export function dayOrMoment(message: string, { offset = false } = {}) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset })], message)
    .refine((text) => isDay(text.slice(0, 10)), message);
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
