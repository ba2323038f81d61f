import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { isLoopback } from "../config.ts";
import type { AddressCheck } from "./address-check.ts";
import { refusals } from "./refusals.ts";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Creates the middleware that prevents cross-site request forgery by the browser's headers. Unsafe methods need
 * `Sec-Fetch-Site` same-origin or none, or exactly our `Origin`. A request with a cookie must have one of the two
 * headers. A request with a bearer token needs neither.
 */
export function createSameOriginMiddleware(publicOrigin: () => string, addresses: Pick<AddressCheck, "refused">) {
  return async (ctx: Context, next: Next) => {
    if (!safe.has(ctx.method) && !ctx.get("authorization")) assertSameOrigin(ctx, publicOrigin(), addresses);
    await next();
  };
}

function assertSameOrigin(ctx: Context, own: string, addresses: Pick<AddressCheck, "refused">): void {
  const origin = ctx.get("origin");
  const site = ctx.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  if (origin !== "") {
    if (site === "" && isSameOrigin(origin, own)) return;
    if (site === "" && addresses.refused(ctx, origin)) throw new AppError("forbidden", refusals.otherPublicUrl());
    throw new AppError("forbidden", refusals.otherSite());
  }
  if (site !== "" || ctx.get("cookie") !== "") {
    throw new AppError("forbidden", refusals.originNeeded());
  }
}

/** Compares origins. On loopback, `localhost`, `127.0.0.1` and `[::1]` with the same port are the same origin. */
function isSameOrigin(origin: string, own: string): boolean {
  if (origin === own) return true;
  if (!URL.canParse(origin)) return false;
  const [a, b] = [new URL(origin), new URL(own)];
  return a.protocol === b.protocol && a.port === b.port && isLoopback(a.hostname) && isLoopback(b.hostname);
}
