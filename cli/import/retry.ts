/** One request, tried again where trying again can help; the idempotency key makes a repeat harmless. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#core/contract/client.ts";
import { CliError, exit, interrupted } from "../exit.ts";

/** Milliseconds before the second, third, fourth try. */
export const pauses = [250, 1_000, 3_000] as const;

export interface Retries {
  signal: AbortSignal;
  /** No request has succeeded so far: report a missing server at once. */
  isFirst: boolean;
  waits?: readonly number[] | undefined;
}

export async function withRetries<T>(call: () => Promise<T>, { signal, isFirst, waits = pauses }: Retries): Promise<T> {
  for (const least of waits) {
    let wait = least;
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error, isFirst)) throw error;
      wait = Math.max(least, askedToWait(error));
    }
    await sleep(wait, undefined, { signal }).catch(() => {
      throw interrupted();
    });
  }
  return await call();
}

/** Milliseconds the server asks for (its `Retry-After`), a minute at most: it counts by the minute. */
function askedToWait(error: unknown): number {
  return error instanceof ApiError ? Math.min(60, error.retryAfterSeconds ?? 0) * 1000 : 0;
}

function isPassing(error: unknown, isFirst: boolean): boolean {
  if (error instanceof CliError) return error.exit === exit.network && !isFirst;
  // 409: another request with this key is still under way, or another import won the race for the same SOP.
  return (
    error instanceof ApiError && (error.code === "busy" || error.code === "rate_limited" || error.code === "conflict")
  );
}
