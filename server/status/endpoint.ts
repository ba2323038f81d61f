/**
 * Answers `/metrics`, also as JSON for `sop admin status`. A caller needs METRICS_TOKEN. Without a token, only callers
 * on this machine get an answer, if the server is for this machine only.
 */
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import type { ServerStatus } from "#core/status/schema.ts";
import { isLoopback, type Config } from "../config.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Metrics } from "./metrics.ts";
import { isValidOperatorProof, isSameSecret } from "./operator-proof.ts";
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

/**
 * Creates the middleware that answers permitted requests for `/metrics`. Other requests go on, so that they are counted
 * before `refuseMetrics` refuses them.
 */
export function createStatusEndpoint({ status, metrics, config, keys }: StatusEndpointOptions) {
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

export async function refuseMetrics(ctx: Context, next: Next) {
  if (ctx.path === path) throw new AppError("forbidden", refusals.metricsToken());
  await next();
}

/** Headers that a proxy adds. A request from a proxy on this machine doesn't count as a request from this machine. */
const proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

function isPermitted(ctx: Context, { config, keys }: Pick<StatusEndpointOptions, "config" | "keys">): boolean {
  const { metricsToken: token, publicUrl } = config;
  const shown = /^Bearer (\S+)$/.exec(ctx.get("authorization"))?.[1];
  if (shown !== undefined)
    return (token !== null && isSameSecret(shown, token)) || isValidOperatorProof(keys, "status", shown);
  if (token !== null) return false;
  // a TCP proxy adds no header, and strangers choose the host name in a request
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname)) return false;
  const isFromHere = isLoopback(ctx.req.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "");
  // a web page could use a host name whose address is this machine, so the host name is checked too
  return isFromHere && isLoopback(ctx.hostname) && proxyHeaders.every((name) => ctx.get(name) === "");
}
