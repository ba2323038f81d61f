/** `/metrics`, as JSON for `sop admin status`: from this machine, or with METRICS_TOKEN. */
import { timingSafeEqual } from "node:crypto";
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import type { ServerStatus } from "#core/status/schema.ts";
import { isLoopback, type Config } from "../config.ts";
import { hashOf } from "../http/secrets.ts";
import type { Metrics } from "./metrics.ts";

const path = "/metrics";

interface Shown {
  status: () => Promise<ServerStatus>;
  metrics: Pick<Metrics, "text" | "contentType">;
  config: Pick<Config, "metricsToken">;
}

/** Passes on requests of readers without permission, so that they are counted before `refuseStatus` answers. */
export function statusEndpoint({ status, metrics, config }: Shown) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== path || !isPermitted(ctx, config.metricsToken)) return next();
    ctx.set("Cache-Control", "no-store");
    if (ctx.get("accept") === "application/json") {
      ctx.body = await status();
    } else {
      ctx.body = await metrics.text();
      ctx.set("Content-Type", metrics.contentType);
    }
  };
}

export async function refuseStatus(ctx: Context, next: Next) {
  if (ctx.path === path) throw new AppError("forbidden", "Metrics are for this machine, or with METRICS_TOKEN");
  await next();
}

/** A proxy on this machine passes on requests of others: those don't count as from here. */
const passedOn = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

function isPermitted(ctx: Context, token: string | null): boolean {
  const shown = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1];
  if (shown !== undefined) return token !== null && isSame(shown, token);
  const isFromHere = isLoopback(ctx.req.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "");
  // a page of another site could otherwise name a host that leads here
  return isFromHere && isLoopback(ctx.hostname) && passedOn.every((name) => ctx.get(name) === "");
}

function isSame(shown: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(shown)), Buffer.from(hashOf(token)));
}
