/** One request, tried again where trying again can help; the idempotency key makes a repeat harmless. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#core/contract/client.ts";
import { CliError, exit, interrupted } from "../exit.ts";

/** Milliseconds before the second, third, fourth try. */
export const pauses = [250, 1_000, 3_000] as const;

export interface Retries {
  signal: AbortSignal;
  /** Nothing has answered so far: a server that is not there is told at once. */
  isFirst: boolean;
  waits?: readonly number[] | undefined;
}

export async function withRetries<T>(call: () => Promise<T>, { signal, isFirst, waits = pauses }: Retries): Promise<T> {
  for (const wait of waits) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error, isFirst)) throw error;
    }
    await sleep(wait, undefined, { signal }).catch(() => {
      throw interrupted();
    });
  }
  return await call();
}

function isPassing(error: unknown, isFirst: boolean): boolean {
  if (error instanceof CliError) return error.exit === exit.network && !isFirst;
  // 409: another request with this key is still under way, or another import won the race for the same SOP.
  return (
    error instanceof ApiError && (error.code === "busy" || error.code === "rate_limited" || error.code === "conflict")
  );
}
