/** The fields of a body that a call accepts without effect: clients send whole records back, with what the server owns. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A write changes them itself, so a record that was read before always has other values. */
const moving = new Set(["contentHash", "control"]);
/** The same, and they only grow: no record that was read has a greater value. */
const growing = new Set(["version", "updatedAt", "views"]);

/** @returns fields of which the answer has another value than the body, so that no one takes them for stored */
export function ignoredFields(schema: z.ZodType | undefined, body: unknown, answer: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body) || !isRecord(answer)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const [sent, stored] = [body[name], answer[name]];
    if (field.meta()?.["readOnly"] !== true)
      return ignoredFields(bare(field), sent, stored).map((inner) => `${name}.${inner}`);
    if (sent === undefined || sent === null || moving.has(name)) return [];
    return growing.has(name) ? (isAbove(sent, stored) ? [name] : []) : isDeepStrictEqual(sent, stored) ? [] : [name];
  });
}

function isAbove(sent: unknown, stored: unknown): boolean {
  return typeof sent === "number" ? !(sent <= Number(stored)) : String(sent) > String(stored);
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
