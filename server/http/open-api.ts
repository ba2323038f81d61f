import type { Context, Next } from "koa";
import { openApiDocument } from "#core/api/openapi.ts";

/** `/api/openapi.json`, written on the first request for it. */
export function openApi() {
  let text: Buffer | null = null;
  return async (ctx: Context, next: Next) => {
    if (ctx.path !== "/api/openapi.json" || ctx.method !== "GET") return next();
    // all answers share the bytes. A string would be copied for each answer
    text ??= Buffer.from(JSON.stringify(openApiDocument()));
    ctx.type = "application/json";
    ctx.body = text;
  };
}
