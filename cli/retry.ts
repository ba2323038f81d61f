/** Repeats failed requests that are safe to repeat: reads, and writes that the server carries out only once. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#core/api/client.ts";
import { CliError, exit, interruptedError } from "./exit.ts";

/** The minimum milliseconds before each further attempt. Together they outlast a server's restart. */
const pauses = [250, 1_000, 3_000, 3_000, 3_000] as const;
/** The longest wait for a rate limit, which counts per minute. If the server asks for more, the command fails. */
const longestWaitSeconds = 60;

export interface RetryOptions {
  signal: AbortSignal;
  /** True if no request has succeeded yet. A missing server is then reported at once. */
  isFirst: boolean;
  /** Gets a message when the server asks for a wait. */
  progress?: ((text: string) => void) | undefined;
  waits?: readonly number[] | undefined;
}

export async function withRetries<T>(
  call: () => Promise<T>,
  { signal, isFirst, progress, waits = pauses }: RetryOptions,
): Promise<T> {
  for (const least of waits) {
    let asked: number;
    try {
      return await call();
    } catch (error) {
      asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
      if (!isTemporaryFailure(error, isFirst) || asked > longestWaitSeconds) throw error;
    }
    if (asked > 0) progress?.(`the server asks to wait ${asked} s`);
    await sleep(Math.max(least, asked * 1000), undefined, { signal }).catch(() => {
      throw interruptedError();
    });
  }
  return await call();
}

function isTemporaryFailure(error: unknown, isFirst: boolean): boolean {
  if (error instanceof CliError) return error.exit === exit.network && !isFirst;
  // 409 means that another request with this key is still running, or that another import created the same SOP first.
  return (
    error instanceof ApiError && (error.code === "busy" || error.code === "rate_limited" || error.code === "conflict")
  );
}
