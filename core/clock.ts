/** A source of time. Callers pass it in, so that tests can set the time. */
export interface Clock {
  /** The current time as ISO 8601 UTC with milliseconds, the format of every stored time. */
  now(): string;
  /** The current time in milliseconds since the epoch. */
  millis(): number;
}

/**
 * Tells whether a period that ends at `until` is still running. If more than `ms` remain, a wrong clock set the end,
 * and the period counts as ended so that it can't last for years.
 * @param until milliseconds since the epoch
 * @param ms the length of the period; for a period that several servers share, twice the length, because their clocks
 *   differ a little
 */
export function isPeriodRunning(until: number, ms: number, now: number): boolean {
  const left = until - now;
  return left > 0 && left <= ms;
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  millis: () => Date.now(),
};

/** Creates a clock that only moves when it is set, for tests. */
export function fixedClock(start: string): Clock & { advance(ms: number): void; set(iso: string): void } {
  let at = Date.parse(start);
  return {
    now: () => new Date(at).toISOString(),
    millis: () => at,
    advance: (ms) => {
      at += ms;
    },
    set: (iso) => {
      at = Date.parse(iso);
    },
  };
}
