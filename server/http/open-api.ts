import type { Context, Next } from "koa";
import { openApiDocument } from "#core/api/openapi.ts";

/** `/api/openapi.json`, written on the first request for it. */
export function openApi() {
  let text: Buffer | null = null;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== "/api/openapi.json" || ctx.method !== "GET") return next();
    // bytes are shared by all answers; of a string each would have a copy
    text ??= Buffer.from(JSON.stringify(openApiDocument()));
    ctx.type = "application/json";
    ctx.body = text;
  };
}
