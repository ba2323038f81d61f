import { randomUUID } from "node:crypto";
import type { Context, Next } from "koa";
import type { Logger } from "pino";
import type { Origin } from "./call.ts";
import { gitPrefix } from "./identify.ts";

export interface AnsweredRequest {
  method: string;
  /** The template of the path: `/api/sops/:id`. All paths without a route share a template. */
  route: string;
  status: number;
  seconds: number;
}

interface RequestLogOptions {
  log: Logger;
  /** The number of proxies in front of the server. If there is a proxy, its id of a request is used. */
  trustedProxies: number;
  /** Called for each request once it is answered. */
  observe?: (request: AnsweredRequest) => void;
}

/**
 * Creates the middleware that gives every request an id, and writes one log line for it: no body, no query (which can
 * contain a token), no cookie. Ids of a trusted proxy are kept, so that its log and the server's can be matched.
 */
export function createRequestLogMiddleware({ log, trustedProxies, observe }: RequestLogOptions) {
  return async (ctx: Context, next: Next) => {
    const started = performance.now();
    const given = trustedProxies > 0 ? proxyRequestIds(ctx) : {};
    const requestId = given.requestId ?? randomUUID();
    ctx.state["requestId"] = requestId;
    ctx.set("X-Request-Id", requestId);
    try {
      await next();
    } finally {
      const ms = performance.now() - started;
      const route = routePatternOf(ctx);
      log.info(
        {
          requestId,
          traceId: given.traceId,
          method: ctx.method,
          path: ctx.path,
          route,
          status: ctx.status,
          ms: Math.round(ms * 10) / 10,
          companyId: ctx.state["companyId"],
          userId: ctx.state["userId"],
        },
        "request",
      );
      observe?.({ method: ctx.method, route, status: ctx.status, seconds: ms / 1000 });
    }
  };
}

/** Reads the ids that a proxy has set. `traceparent` is as in W3C Trace Context: version, trace, parent, flags. */
function proxyRequestIds(ctx: Context): { requestId?: string; traceId?: string } {
  const [requestId] = /^[\w.-]{8,128}$/.exec(ctx.get("x-request-id")) ?? [];
  const [, traceId] = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(ctx.get("traceparent")) ?? [];
  return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) };
}

const fixed = new Set(["/healthz", "/readyz", "/metrics", "/api/openapi.json"]);

function routePatternOf(ctx: Context): string {
  const matched = (ctx as { _matchedRoute?: unknown })._matchedRoute;
  if (typeof matched === "string") return matched;
  if (fixed.has(ctx.path)) return ctx.path;
  if (ctx.path.startsWith(gitPrefix)) return `${gitPrefix}:company`;
  return ctx.path.startsWith("/api/") ? "/api/*" : "/*";
}

export function originOf(ctx: Context): Origin {
  return {
    requestId: ctx.state["requestId"] as string,
    ipAddress: ctx.ip || null,
    userAgent: ctx.get("user-agent").slice(0, 300) || null,
  };
}
