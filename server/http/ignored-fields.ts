/** The fields of a body that a call accepts without effect: clients send whole records back, with what the server owns. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A write changes them itself, so a record that was read before always has other values. */
const moving = new Set(["version", "contentHash", "updatedAt", "views", "control"]);

/** @returns fields of which the answer has another value than the body, so that no one takes them for stored */
export function ignoredFields(schema: z.ZodType | undefined, body: unknown, answer: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body) || !isRecord(answer)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter(([, field]) => field.meta()?.["readOnly"] === true)
    .map(([name]) => name)
    .filter((name) => !moving.has(name) && body[name] !== undefined && body[name] !== null)
    .filter((name) => !isDeepStrictEqual(body[name], answer[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
