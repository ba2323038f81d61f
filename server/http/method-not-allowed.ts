import type { RouterContext } from "@koa/router";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";

/** After the router: a path that is known under other methods says so. */
export function methodNotAllowed() {
  return (ctx: Context) => {
    const layers = (ctx as Context & Partial<RouterContext>).matched ?? [];
    if (layers.length === 0) return;
    ctx.set("Allow", [...new Set(layers.flatMap(({ methods }) => methods))].sort().join(", "));
    throw new AppError("method_not_allowed");
  };
}
