/**
 * The end of a server. Its port stays open until running requests are done: a balancer that can't reach it takes it for
 * dead, and cuts them.
 */
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";

export interface Closing {
  /** After `health`, which goes on answering. */
  handle(ctx: Context, next: Next): Promise<void>;
  /** Refuses new requests. @returns when the last one that runs is answered */
  begin(): Promise<void>;
}

export function createClosing(): Closing {
  let running = 0;
  let onLast: (() => void) | null = null;
  return {
    async handle({ res }, next) {
      if (onLast !== null) throw new AppError("busy", "This server stops. Try again in a moment.");
      running += 1;
      // those of a stream and its handlers are as many as Node allows
      res.setMaxListeners(res.getMaxListeners() + 1);
      res.once("close", () => {
        running -= 1;
        if (running === 0) onLast?.();
      });
      await next();
    },
    begin: () =>
      new Promise((resolve) => {
        onLast = resolve;
        if (running === 0) resolve();
      }),
  };
}
