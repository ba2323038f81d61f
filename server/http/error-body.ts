/** Creates the middleware that turns errors into answers: `{code, message, details?, reason?, reasons?}`. */
import type { Context, Next } from "koa";
import type { Logger } from "pino";
import { z } from "zod";
import { AppError, type ErrorBody } from "#core/errors.ts";
import { isUnwritableError, isOutOfSpaceError } from "../file-errors.ts";
import { BlobsUnavailableError } from "../blobs/port.ts";
import { NewerSchemaError, SchemaError } from "../database/migrations.ts";
import { isDisconnect } from "./disconnect.ts";
import {
  DamagedDocumentError,
  DatabaseUnavailableError,
  DuplicateKeyError,
  LostCollectionError,
  TransactionConflictError,
} from "../database/port.ts";
import { refusals } from "./refusals.ts";
import { sentenceOfMessage, type Sentence } from "#core/language/catalog.ts";

export function createErrorMiddleware(log: Logger) {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new AppError("not_found");
    } catch (error) {
      const { refusal, body } = refusalBody(error, ctx, log);
      if (ctx.headerSent || !ctx.writable) return;
      ctx.remove("ETag");
      ctx.status = refusal.status;
      if (refusal.status === 429 || refusal.code === "busy") ctx.set("Retry-After", retryAfterHeader(refusal));
      ctx.body = body;
      // the rest of an oversized body isn't read, so the connection can't be used again
      if (!ctx.req.complete) ctx.set("Connection", "close");
    }
  };
}

/** Returns the error and the body with which to answer a failure. Logs failures of the server. */
export function refusalBody(error: unknown, ctx: Context, log: Logger): { refusal: AppError; body: ErrorBody } {
  const refusal = toAppError(error);
  const hasLeft = ctx.req.destroyed && isDisconnect(error);
  if (!hasLeft && refusal.status >= 500 && refusal.code !== "busy") {
    log.error({ requestId: ctx.state["requestId"], err: error }, "request failed");
  }
  return { refusal, body: refusal.code === "internal" ? withRequestId(refusal, ctx) : refusal.toBody() };
}

function withRequestId(refusal: AppError, ctx: Context): ErrorBody {
  return { ...refusal.toBody(), details: { requestId: ctx.state["requestId"] } };
}

function retryAfterHeader(refusal: AppError): string {
  const details = refusal.details as { retryAfterSeconds?: number } | undefined;
  return String(details?.retryAfterSeconds ?? 1);
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return invalidInputError(error);
  if (isOutOfSpaceError(error)) return new AppError("storage_full");
  if (isUnwritableError(error)) return new AppError("busy", refusals.ownFolder());
  if (error instanceof BlobsUnavailableError) return new AppError("busy", refusals.noImages());
  if (error instanceof DatabaseUnavailableError) return new AppError("busy", refusals.noDatabase());
  if (error instanceof DamagedDocumentError || error instanceof LostCollectionError) return new AppError("damaged");
  if (error instanceof NewerSchemaError) return new AppError("busy", refusals.newerServer());
  if (error instanceof SchemaError) return new AppError("busy", refusals.otherServer());
  if (error instanceof TransactionConflictError) return new AppError("busy");
  if (error instanceof DuplicateKeyError) return new AppError("conflict", refusals.someoneElse());
  if (isBadAddressError(error)) return new AppError("invalid_input", refusals.badAddress());
  return new AppError("internal");
}

/** The maximum number of details in an answer. */
const detailsAtMost = 50;

/**
 * Creates the error for invalid input. `details` maps a path to a message, so that forms can show each message next to
 * its field.
 */
function invalidInputError(error: z.ZodError): AppError {
  const found: Record<string, Sentence> = {};
  for (const issue of error.issues.slice(0, detailsAtMost)) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, detailsAtMost)) {
        const field = [...issue.path, key.slice(0, 100)].join(".");
        found[field] = refusals.unknownField({ field });
      }
    } else {
      found[issue.path.join(".")] ??= sentenceOfMessage(issue);
    }
  }
  const details = Object.entries(found).map(([field, one]) => [field, one.id === undefined ? one.text : one]);
  return new AppError("invalid_input", Object.values(found)[0], Object.fromEntries(details));
}

function isBadAddressError(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && "status" in error && error.status === 400);
}
