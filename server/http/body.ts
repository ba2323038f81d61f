/** Reads a request body up to a maximum size. Refuses JSON that isn't safe for later parsers. */
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { FairQueue } from "../capacity/fair-queue.ts";
import { pacedChunks, createPaceFor } from "./paced.ts";
import { findDuplicateKey } from "./duplicate-key.ts";
import { refusals } from "./refusals.ts";

/** The size in bytes up to which a body is read without a slot of the queue for large bodies. */
export const smallBody = 64 * 1024;

/**
 * Reads a body into memory.
 * @param places the queue that limits large bodies in memory, by company and user
 * @throws AppError unsupported_type when compressed, too_large, invalid_input when the body arrives too slowly, and the
 * errors of the queue
 */
export async function readBytes(ctx: Context, limit: number, places: Pick<FairQueue, "enter">): Promise<Buffer> {
  const encoding = ctx.get("content-encoding");
  if (encoding && encoding !== "identity") throw new AppError("unsupported_type", refusals.compressedBody());
  if ((ctx.request.length ?? 0) > limit) throw requestTooLargeError(limit);
  const declared = ctx.request.length;
  const isSmall = declared !== undefined && declared <= smallBody;
  const hasBody = declared !== undefined || ctx.get("transfer-encoding") !== "";
  const leave = isSmall || !hasBody ? undefined : await places.enter();
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of pacedChunks(ctx.req as AsyncIterable<Buffer>, leave && createPaceFor(leave))) {
      size += chunk.length;
      if (size > limit) throw requestTooLargeError(limit);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    leave?.();
  }
}

function requestTooLargeError(limit: number): AppError {
  return new AppError("too_large", refusals.largeBody({ kibibytes: Math.round(limit / 1024) }));
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and parses a JSON body.
 * @returns undefined for an empty body; it needs no Content-Type
 * @throws AppError 415 unless JSON, 413 beyond the limit, 400 when it is invalid or nested too deep
 */
export async function readJson(ctx: Context, limit: number, places: Pick<FairQueue, "enter">): Promise<unknown> {
  const isTyped = ctx.get("content-type") !== "";
  if (isTyped && ctx.is("application/json") === false) throw new AppError("unsupported_type");
  const bytes = await readBytes(ctx, limit, places);
  if (bytes.length === 0) return undefined;
  if (!isTyped) throw new AppError("unsupported_type");
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new AppError("invalid_input", refusals.notJson());
  }
  assertSafeJson(value);
  const twice = findDuplicateKey(text);
  if (twice !== null) throw new AppError("invalid_input", refusals.twiceInObject({ key: twice.slice(0, 100) }));
  return value;
}

/**
 * The maximum number of objects and lists in a body, and of entries in each. Checking more would delay other requests.
 */
const shapeAtMost = 10_000;

/**
 * Refuses deep nesting, which would overflow later parsers, too many objects and lists, and `__proto__`, which could
 * change the prototype of objects built from keys.
 * @throws AppError invalid_input
 */
function assertSafeJson(value: unknown): void {
  let level: unknown[] = [value];
  let containers = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonDepth)
      throw new AppError("invalid_input", refusals.deepBody({ jsonDepth: limits.jsonDepth }));
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      const children = Array.isArray(item) ? (item as unknown[]) : Object.values(item);
      if (++containers > shapeAtMost || children.length > shapeAtMost)
        throw new AppError("invalid_input", refusals.manyThings({ most: shapeAtMost }));
      if (Object.hasOwn(item, "__proto__")) throw new AppError("invalid_input", refusals.protoKey());
      for (const child of children) if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
}
