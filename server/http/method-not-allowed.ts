import type { RouterContext } from "@koa/router";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";

/** Runs after the router. Answers 405 for a path that other methods have. */
export function methodNotAllowed() {
  return (ctx: Context) => {
    const layers = (ctx as Context & Partial<RouterContext>).matched ?? [];
    if (layers.length === 0) return;
    ctx.set("Allow", [...new Set(layers.flatMap(({ methods }) => methods))].sort().join(", "));
    throw new AppError("method_not_allowed");
  };
}
