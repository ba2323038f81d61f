import { randomUUID } from "node:crypto";
import type { Context, Next } from "koa";
import type { Logger } from "pino";
import type { Origin } from "./call.ts";

/** Numbers every request, and writes one log line for it: no body, no query (it can contain a token), no cookie. */
export function requestLog(log: Logger) {
  return async (ctx: Context, next: Next) => {
    const started = performance.now();
    ctx.state["requestId"] = randomUUID();
    ctx.set("X-Request-Id", ctx.state["requestId"] as string);
    try {
      await next();
    } finally {
      log.info(
        {
          requestId: ctx.state["requestId"],
          method: ctx.method,
          path: ctx.path,
          status: ctx.status,
          ms: Math.round((performance.now() - started) * 10) / 10,
          userId: ctx.state["userId"],
        },
        "request",
      );
    }
  };
}

export function originOf(ctx: Context): Origin {
  return {
    requestId: ctx.state["requestId"] as string,
    ipAddress: ctx.ip || null,
    userAgent: ctx.get("user-agent").slice(0, 300) || null,
  };
}
