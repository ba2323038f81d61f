/** Zod parts that rows share. Named schemas carry `.meta({id})` and become OpenAPI components. */
import { z } from "zod";
import { dayMessage, isDay, readDay } from "../days.ts";
import { limits } from "../limits.ts";
import { withoutUnseen } from "../text/clean-text.ts";

export const Id = z.uuid();
export const Time = z.iso.datetime();

/** The message for a field that is left out or null; a value of another type gets the general one. */
export function missing(message: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? message : undefined) };
}

/** Trimmed text that must be given: a field left out and an empty one get the same message. */
export function requiredText(message: string, least = 1) {
  return z.string(missing(message)).overwrite(withoutUnseen).trim().min(least, message);
}

/** The same as it was sent: notes on its saving name what it loses. */
export function requiredAsSent(message: string) {
  return z
    .string(missing(message))
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

/** `{data: […], nextCursor?, total?}`: how every long list answers. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().optional(), total: z.number().int().optional() });
}

/** A day, or the moment at which it starts in UTC. Nothing else is accepted, so that no date is ignored. */
export const DayInput = z
  .string()
  .max(40)
  .overwrite((text) => readDay(text) ?? text)
  .refine(isDay, dayMessage);

/** A day, or a moment. @param message says both */
export function dayOrMoment(message: string, { offset = false } = {}) {
  return z
    .union([z.iso.date(), z.iso.datetime({ offset })], message)
    .refine((text) => isDay(text.slice(0, 10)), message);
}

/** `published`: as readers have it, without drafts. By default the newest version that the user sees. */
export const ReadersView = z.enum(["published"]).optional();

export const Done = z.object({ ok: z.literal(true) }).meta({ id: "Done" });

/** A field that the server owns: accepted in a body, since clients send whole records back, and ignored. The answer names other values in `X-Ignored-Fields`. */
export const ServerOwned = {
  text: z.string().nullish().meta({ readOnly: true }),
  number: z.number().nullish().meta({ readOnly: true }),
  flag: z.boolean().nullish().meta({ readOnly: true }),
  list: z.array(z.string()).nullish().meta({ readOnly: true }),
  records: z.array(z.looseObject({})).nullish().meta({ readOnly: true }),
  record: z.looseObject({}).nullish().meta({ readOnly: true }),
};
