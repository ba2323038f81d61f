/** The input of a handler, typed by its contract row. */
import type { Context } from "koa";
import type { z } from "zod";
import type { Actor } from "#core/permissions/actor.ts";
import type { Route } from "#core/contract/route.ts";
import type { Routes } from "#core/api/routes.ts";
import type { RouteSchema } from "#core/contract/schema.ts";
import type { Schemas } from "#core/api/schemas.ts";
import type { SessionDocument, UserDocument } from "../database/documents.ts";
import type { AnswerProgress } from "./progress.ts";
import type { ReceivedFile } from "./received-file.ts";

/** The origin of a request, for audit rows. */
export interface Origin {
  requestId: string;
  ipAddress: string | null;
  userAgent: string | null;
}

/** The signed-in user behind a call, by session or by token. */
export interface Identity {
  actor: Actor;
  user: UserDocument;
  tokenId: string | null;
  /** The session; null for a token. */
  session: SessionDocument | null;
}

type ParsedInput<S extends RouteSchema, K extends "params" | "query" | "body"> = S[K] extends z.ZodType
  ? z.output<S[K]>
  : undefined;

/** A try of a request with an Idempotency-Key. If it takes too long, a repeat of the request may replace it. */
export interface IdempotentRun {
  id: string;
  until: string;
}

export interface Call<R extends Route = Route, S extends RouteSchema = RouteSchema> {
  params: ParsedInput<S, "params">;
  query: ParsedInput<S, "query">;
  body: R["body"] extends "raw-asset"
    ? Uint8Array
    : R["body"] extends "raw-import"
      ? ReceivedFile
      : ParsedInput<S, "body">;
  identity: R["access"] extends "public" ? Identity | null : Identity;
  origin: Origin;
  /** The version named by If-Match, or null without the header. */
  ifMatch: number | null;
  /**
   * The run of a request with an Idempotency-Key; null without a key. Its record is marked in the transaction of the
   * effect.
   */
  idempotency: IdempotentRun | null;
  /**
   * The session of a sign-in that still lacks a factor; null without such a session, and absent for signed-in users and
   * other routes than those with `session`.
   */
  unfinished?: SessionDocument | null;
  /** Sends progress to the client; null if the client doesn't accept it. */
  progress: AnswerProgress | null;
  ctx: Context;
}

export type HandlerAnswer<S extends RouteSchema> = S["output"] extends z.ZodType ? z.input<S["output"]> : void;

export type Handler<R extends Route, S extends RouteSchema> = (call: Call<R, S>) => Promise<HandlerAnswer<S>>;

/** The handlers of a group, by row. A missing handler is a compile error. */
export type Handlers<Group extends keyof Routes> = {
  [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route
    ? Name extends keyof Schemas[Group]
      ? Schemas[Group][Name] extends RouteSchema
        ? Handler<Routes[Group][Name], Schemas[Group][Name]>
        : never
      : never
    : never;
};

export type AllHandlers = { [Group in keyof Routes]: Handlers<Group> };
