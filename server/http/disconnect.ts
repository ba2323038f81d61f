import type { Context } from "koa";

/** Aborts when the client disconnects before the answer is sent. */
export function abortOnDisconnect(ctx: Context): AbortSignal {
  const left = new AbortController();
  const abortUnfinished = () => {
    if (!ctx.res.writableFinished) left.abort();
  };
  if (ctx.res.destroyed) abortUnfinished();
  else ctx.res.once("close", abortUnfinished);
  return left.signal;
}

const disconnectCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** True if the client closed its event stream or broke off an upload. The server has no fault then. */
export function isDisconnect(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  // Node's parser reports these codes when the rest of a request never arrived
  return disconnectCodes.has(code) || code.startsWith("HPE_");
}
