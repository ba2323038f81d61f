/**
 * Stops a server gracefully. Its port stays open until running requests are done, because a balancer that can't reach
 * the port would cut their connections.
 */
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

export interface RequestGate {
  /** Counts requests, and refuses them once the server stops. Mounted after `health`, which always answers. */
  handle(ctx: Context, next: Next): Promise<void>;
  /** Refuses new requests from now on. Resolves when the last running request is answered. */
  begin(): Promise<void>;
}

export function createRequestGate(): RequestGate {
  let running = 0;
  let onLast: (() => void) | null = null;
  return {
    async handle({ res }, next) {
      if (onLast !== null) throw new AppError("busy", refusals.serverStops());
      running += 1;
      // the server adds a listener to the response, but a stream and its handlers already use as many as Node allows
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
