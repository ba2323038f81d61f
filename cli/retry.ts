/** One request, sent again where that can help: reads, and writes that the server carries out once however often they come. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#core/api/client.ts";
import { CliError, exit, interrupted } from "./exit.ts";

/** The least milliseconds before each further try: longer than a server needs to restart. */
export const pauses = [250, 1_000, 3_000, 3_000, 3_000] as const;
/** A server that counts requests does so by the minute. A longer wait is for another day. */
const patienceSeconds = 60;

export interface Retries {
  signal: AbortSignal;
  /** No request has succeeded so far: report a missing server at once. */
  isFirst: boolean;
  /** Hears of waits that the server asks for. */
  progress?: ((text: string) => void) | undefined;
  waits?: readonly number[] | undefined;
}

export async function withRetries<T>(
  call: () => Promise<T>,
  { signal, isFirst, progress, waits = pauses }: Retries,
): Promise<T> {
  for (const least of waits) {
    let asked: number;
    try {
      return await call();
    } catch (error) {
      asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
      if (!isPassing(error, isFirst) || asked > patienceSeconds) throw error;
    }
    if (asked > 0) progress?.(`the server asks to wait ${asked} s`);
    await sleep(Math.max(least, asked * 1000), undefined, { signal }).catch(() => {
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
