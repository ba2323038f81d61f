/** `/metrics`, as JSON for `sop admin status`: with METRICS_TOKEN. Without one, from this machine, if it serves no other. */
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import type { ServerStatus } from "#core/status/schema.ts";
import { isLoopback, type Config } from "../config.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Metrics } from "./metrics.ts";
import { isOperatorProof, isSame } from "./operator-proof.ts";

const path = "/metrics";

interface Shown {
  status: () => Promise<ServerStatus>;
  metrics: Pick<Metrics, "text" | "contentType">;
  config: Pick<Config, "metricsToken" | "publicUrl">;
  keys: Pick<Keyring, "statusProofs">;
}

/** Passes on requests of readers without permission, so that they are counted before `refuseStatus` answers. */
export function statusEndpoint({ status, metrics, config, keys }: Shown) {
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== path || !isPermitted(ctx, { config, keys })) return next();
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
  if (ctx.path === path)
    throw new AppError("forbidden", "Metrics need METRICS_TOKEN, or a server for this machine alone");
  await next();
}

/** A proxy on this machine passes on requests of others: those don't count as from here. */
const passedOn = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

function isPermitted(ctx: Context, { config, keys }: Pick<Shown, "config" | "keys">): boolean {
  const { metricsToken: token, publicUrl } = config;
  const shown = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1];
  if (shown !== undefined) return (token !== null && isSame(shown, token)) || isOperatorProof(keys, "status", shown);
  if (token !== null) return false;
  // a proxy that passes on bytes alone adds no header, and strangers choose the host's name
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) return false;
  const isFromHere = isLoopback(ctx.req.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "");
  // a page of another site could otherwise name a host that leads here
  return isFromHere && isLoopback(ctx.hostname) && passedOn.every((name) => ctx.get(name) === "");
}
