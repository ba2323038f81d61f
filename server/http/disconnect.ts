import type { Context } from "koa";

/** Aborts when the client disconnects before the answer is sent. */
export function abortOnDisconnect(ctx: Context): AbortSignal {
  const left = new AbortController();
  const look = () => {
    if (!ctx.res.writableFinished) left.abort();
  };
  if (ctx.res.destroyed) look();
  else ctx.res.once("close", look);
  return left.signal;
}

const disconnectCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** A client that closes its event stream or breaks off an upload: nothing is wrong with the server. */
export function isDisconnect(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  // Node's parser of requests: the rest of one never came
  return disconnectCodes.has(code) || code.startsWith("HPE_");
}
