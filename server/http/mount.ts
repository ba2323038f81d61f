/**
 * Turns the table of API routes into a router. For each request, it parses the input, checks access, calls the handler
 * and sends the answer.
 */
import Router, { type RouterContext } from "@koa/router";
import type { Context, Middleware } from "koa";
import { z } from "zod";
import { can } from "#core/permissions/can.ts";
import { tokenScopeOf, type Route, type RouteTable } from "#core/contract/route.ts";
import { routes } from "#core/api/routes.ts";
import type { RouteSchema, SchemaTable } from "#core/contract/schema.ts";
import { schemas } from "#core/api/schemas.ts";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { Denials, KnownUser } from "../audit/denials.ts";
import { withCaller } from "../capacity/caller.ts";
import type { FairQueue, HeldSlot } from "../capacity/fair-queue.ts";
import type { Space } from "../data-folder/space.ts";
import type { Shares } from "../capacity/resources.ts";
import { saveHeaders, holdSlotForAnswer } from "./answers.ts";
import { readBytes, readJson } from "./body.ts";
import { ReceivedFile, receiveFile } from "./received-file.ts";
import type { AllHandlers, Call, Identity } from "./call.ts";
import { refusalBody } from "./error-body.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { identityFoundForCount } from "./count-requests.ts";
import { answerOnce } from "./idempotency.ts";
import type { IdentifiedUser, IdentifyRequest } from "./identify.ts";
import type { Limiters } from "./limiters.ts";
import { loadQueueCaller } from "./caller-of.ts";
import { networkPrefix } from "./network.ts";
import { assertProven } from "./proven.ts";
import { parseInput } from "./input-texts.ts";
import { openProgress } from "./progress.ts";
import { originOf } from "./request-id.ts";
import type { Services } from "./services.ts";
import { refusals } from "./refusals.ts";

export interface MountOptions {
  services: Services;
  limiters: Limiters;
  denials: Denials;
  identify: Pick<IdentifyRequest, "identify" | "unfinished">;
  /** The koa-session middleware, for routes that start or end a session. */
  sessions: Middleware;
}

type AnyHandler = (call: Call) => Promise<unknown>;

/** Returns the area of a path: `/api/sops/:id` → `sops`. */
const firstApiSegment = (path: string) => path.split("/", 3)[2] ?? "";

/**
 * Creates the middleware that serves the routes. Each area has its own router, because a router tries its paths one
 * after another.
 */
export function createRoutesMiddleware(
  handlers: AllHandlers,
  options: MountOptions,
  table: { routes: RouteTable; schemas: SchemaTable<RouteTable> } = { routes, schemas },
): Middleware {
  // accept only one spelling of each path, because sessions, rate limits and logs depend on it
  const newRouter = () => new Router({ sensitive: true, strict: true });
  const routers = new Map<string, Router>();
  const rows = Object.entries(table.routes).flatMap(([group, ofGroup]) =>
    Object.entries(ofGroup).map(([name, route]) => ({ group, name, route })),
  );
  // put fixed paths before paths with parameters, so that `/import` isn't taken as an id
  rows.sort((a, b) => Number(a.route.path.includes(":")) - Number(b.route.path.includes(":")));
  for (const { group, name, route } of rows) {
    const schema = table.schemas[group]?.[name];
    const handler = (handlers as unknown as Record<string, Record<string, AnyHandler>>)[group]?.[name];
    if (!schema || !handler) throw new Error(`${group}.${name} has no ${schema ? "handler" : "schema"}`);
    const answerRoute = async (ctx: Context) => {
      try {
        await serveRoute(ctx, route, schema, handler, options);
      } catch (error) {
        options.services.space.notice(error);
        noteDenial(ctx, `${group}.${name}`, route, error, options.denials);
        throw error;
      }
    };
    const area = firstApiSegment(route.path);
    const router = routers.get(area) ?? newRouter();
    routers.set(area, router);
    router.register(route.path, [route.method], route.session ? [options.sessions, answerRoute] : [answerRoute]);
  }
  const areas = new Map([...routers].map(([area, router]) => [area, router.routes()]));
  return (ctx, next) => areas.get(firstApiSegment(ctx.path))?.(ctx as RouterContext, next) ?? next();
}

function noteDenial(ctx: Context, call: string, route: Route, error: unknown, denials: Denials): void {
  const by = ctx.state["knownUser"] as KnownUser | undefined;
  if (!by || !(error instanceof AppError)) return;
  const { code, status } = error;
  // don't record reads of missing records, because many links lead to deleted records
  const missed = route.method !== "GET" && code === "not_found";
  if (!missed && code !== "forbidden" && code !== "unauthenticated") return;
  const { id } = ctx["params"] as { id?: string };
  denials.note({ by, call, entityId: id?.slice(0, 100) ?? null, status, code, origin: originOf(ctx) });
}

async function serveRoute(ctx: Context, route: Route, schema: RouteSchema, handler: AnyHandler, options: MountOptions) {
  const signedIn = authorize(route, identityFoundForCount(ctx), options.services.clock);
  assertSpace(route, options.services.space);
  if (route.limiter) await options.limiters.check(route.limiter, ctx.ip);
  const party = signedIn
    ? await loadQueueCaller(ctx, signedIn, options.services)
    : { companyId: `address ${networkPrefix(ctx.ip)}`, userId: `address ${ctx.ip}` };
  const headers = saveHeaders(ctx);
  await withCaller(party, async () => {
    await respondToCall(ctx, route, schema, handler, options, signedIn);
    await holdSlotForAnswer(ctx, route, options.services.shares.answers, headers);
  });
}

async function respondToCall(
  ctx: Context,
  route: Route,
  schema: RouteSchema,
  handler: AnyHandler,
  options: MountOptions,
  signedIn: Identity | null,
) {
  const [params, query] = [schema.params && parseInput(schema.params, ctx["params"]), parseQuery(schema, ctx)];
  const hadBody = ctx.req.complete;
  const { shares } = options.services;
  const place = route.body === "import" ? await shares.imports.enter() : undefined;
  try {
    const body = await parseBody(ctx, route, schema, shares, place);
    try {
      await runHandler(ctx, route, schema, handler, options, { signedIn, hadBody, params, query, body });
    } finally {
      if (body instanceof ReceivedFile) await body.remove();
    }
  } finally {
    place?.();
  }
}

interface ReadRequest {
  signedIn: Identity | null;
  hadBody: boolean;
  params: unknown;
  query: unknown;
  body: unknown;
}

async function runHandler(
  ctx: Context,
  route: Route,
  schema: RouteSchema,
  handler: AnyHandler,
  options: MountOptions,
  { signedIn, hadBody, params, query, body }: ReadRequest,
) {
  // identify the user again, because a client that sends its body slowly may have lost access meanwhile
  const identity =
    hadBody || !signedIn ? signedIn : authorize(route, await options.identify.identify(ctx), options.services.clock);
  const progress = openProgress(ctx, route);
  const call = {
    params,
    query,
    body,
    identity,
    origin: originOf(ctx),
    ifMatch: parseIfMatch(ctx.get("if-match")),
    idempotency: null,
    ...(route.session && !identity && { unfinished: await options.identify.unfinished(ctx) }),
    progress,
    ctx,
  } as Call;
  const runAndParse = async (running: Call) => {
    const result = await handler(running);
    return schema.output === null ? result : parseAnswer(schema.output, result);
  };
  const key = route.method === "POST" && identity && canStoreAnswers(route) ? ctx.get("idempotency-key") : "";
  let answer: unknown;
  try {
    answer = key ? await answerOnce(options.services, call, key, runAndParse) : await runAndParse(call);
  } catch (error) {
    if (!progress?.begun) throw error;
    return progress.end("error", refusalBody(error, ctx, options.services.log).body);
  }
  if (schema.output === null) return;
  if (progress) return progress.end("done", answer);
  const ignored = [...ignoredFields(schema.body, body, answer), ...((ctx.state["ignored"] ?? []) as string[])];
  if (ignored.length > 0) ctx.set("X-Ignored-Fields", ignored.join(", "));
  ctx.status = ctx.state["status"] ?? route.success ?? 200;
  ctx.body = answer;
}

/**
 * Refuses writes while the disk is full. Runs before the body is read, because the body takes space too.
 * @throws AppError storage_full
 */
function assertSpace({ method, whileFull }: Route, space: Space): void {
  if (method === "GET") return;
  if (whileFull === undefined && space.isFull()) throw new AppError("storage_full");
  if (whileFull === "reserve" && space.isUsedUp()) throw new AppError("storage_full", refusals.diskFull());
}

/**
 * Converts an answer to the form of its schema. A mismatch is a bug of the server, so the client must not get a 4xx.
 */
function parseAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const shown = schema.safeParse(answer);
  if (shown.success) return shown.data;
  throw new Error("an answer does not fit its schema", { cause: shown.error });
}

/** Says whether answers are stored for repeats. Tokens, and answers that help to guess a password, aren't. */
function canStoreAnswers(route: Route): boolean {
  return route.access !== "public" && route.scope !== "session" && route.secret !== true;
}

/**
 * Checks that the user can call the route.
 * @returns null for a public route without a user
 * @throws AppError unauthenticated, forbidden, proof_needed
 */
function authorize(route: Route, found: IdentifiedUser | null, clock: Clock): Identity | null {
  if (route.access === "public") return found?.identity ?? null;
  if (!found) throw new AppError("unauthenticated");
  const scope = tokenScopeOf(route);
  if (found.scopes && (scope === "session" || !found.scopes.includes(scope))) {
    throw new AppError("forbidden", scope === "session" ? refusals.signInNeeded() : refusals.missingScope({ scope }));
  }
  if (route.access !== "user" && !can(found.identity.actor, route.access)) throw new AppError("forbidden");
  if (route.proven) assertProven(found.identity, route.proven, clock);
  return found.identity;
}

function parseQuery(schema: RouteSchema, ctx: Context): unknown {
  if (schema.query) return parseInput(schema.query, ctx.query);
  const extra = Object.keys(ctx.query)[0];
  if (extra !== undefined) throw new AppError("invalid_input", refusals.unknownParameter({ extra }));
  return undefined;
}

/** Returns a queue for the body of a request that already has a slot, which the end of the request releases. */
const queueOfHeldSlot = ({ isWanted }: HeldSlot): Pick<FairQueue, "enter"> => ({
  enter: () => Promise.resolve(Object.assign(() => undefined, { isWanted })),
});

const bodyLimits = { json: limits.json, "sign-in": limits.signIn, import: limits.importRequest } as const;

async function parseBody(
  ctx: Context,
  route: Route,
  schema: RouteSchema,
  shares: Shares,
  place: HeldSlot | undefined,
): Promise<unknown> {
  if (route.method === "GET") return undefined;
  if (route.body === "raw-asset") return readBytes(ctx, limits.asset, shares.bodies);
  if (route.body === "raw-import") return receiveFile(ctx, limits.zipPacked, shares.imports);
  const places = place ? queueOfHeldSlot(place) : shares.bodies;
  const body = await readJson(ctx, bodyLimits[route.body ?? "json"], places);
  if (schema.body) return parseInput(schema.body, body === undefined ? {} : body);
  if (body !== undefined && JSON.stringify(body) !== "{}") {
    throw new AppError("invalid_input", refusals.bodyNotAllowed());
  }
  return undefined;
}

/** Parses If-Match: `"v7"` → 7. Anything else that isn't empty or `*` is refused and not ignored. */
function parseIfMatch(header: string): number | null {
  if (header === "" || header === "*") return null;
  const match = /^(?:W\/)?"v(\d{1,9})"$/.exec(header.trim());
  if (!match) throw new AppError("invalid_input", refusals.ifMatch());
  return Number(match[1]);
}
