import type { Context } from "koa";

/** Aborted when the asker goes away before the answer was sent. */
export function leaving(ctx: Context): AbortSignal {
  const left = new AbortController();
  const look = () => {
    if (!ctx.res.writableFinished) left.abort();
  };
  if (ctx.res.destroyed) look();
  else ctx.res.once("close", look);
  return left.signal;
}
