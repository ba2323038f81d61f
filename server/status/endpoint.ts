/**
 * `/metrics`, also as JSON for `sop admin status`. It needs METRICS_TOKEN. Without a token, only callers on this
 * machine get it, if the server is for this machine only.
 */
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import type { ServerStatus } from "#core/status/schema.ts";
import { isLoopback, type Config } from "../config.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Metrics } from "./metrics.ts";
import { isOperatorProof, isSameSecret } from "./operator-proof.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.status.refusals", {
  metricsToken: "Metrics need METRICS_TOKEN, or a server for this machine alone",
});

const path = "/metrics";

interface StatusEndpointOptions {
  status: () => Promise<ServerStatus>;
  metrics: Pick<Metrics, "text" | "contentType">;
  config: Pick<Config, "metricsToken" | "publicUrl">;
  keys: Pick<Keyring, "statusProofs">;
}

/** Answers permitted requests. Passes on the others, so that they are counted before `refuseMetrics` answers. */
export function statusEndpoint({ status, metrics, config, keys }: StatusEndpointOptions) {
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
  if (ctx.path === path) throw new AppError("forbidden", refusals.metricsToken());
  await next();
}

/** Headers that a proxy adds. A request that a proxy on this machine passes on doesn't count as from here. */
const passedOn = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

function isPermitted(ctx: Context, { config, keys }: Pick<StatusEndpointOptions, "config" | "keys">): boolean {
  const { metricsToken: token, publicUrl } = config;
  const shown = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1];
  if (shown !== undefined)
    return (token !== null && isSameSecret(shown, token)) || isOperatorProof(keys, "status", shown);
  if (token !== null) return false;
  // a proxy below HTTP adds no header, and strangers choose the name of the host
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) return false;
  const isFromHere = isLoopback(ctx.req.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "");
  // a page of another site could name a host whose address is this machine, so the host is checked too
  return isFromHere && isLoopback(ctx.hostname) && passedOn.every((name) => ctx.get(name) === "");
}
