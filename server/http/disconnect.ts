import type { Context } from "koa";

/** Returns a signal that aborts when the client disconnects before the answer is sent. */
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

/** Says whether the client closed its event stream or aborted an upload. Such an error isn't a fault of the server. */
export function isDisconnect(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  // Node's parser reports these codes when a request was cut off
  return disconnectCodes.has(code) || code.startsWith("HPE_");
}
