import type { Context, Next } from "koa";
import { openApiDocument } from "#core/contract/openapi.ts";

/** `/api/openapi.json`, written on the first request for it. */
export function openApi() {
  let text: string | null = null;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== "/api/openapi.json" || ctx.method !== "GET") return next();
    text ??= JSON.stringify(openApiDocument());
    ctx.type = "application/json";
    ctx.body = text;
  };
}
