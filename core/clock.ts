/** Time is handed in, so that tests and timers can set it. */
export interface Clock {
  /** Now, as ISO 8601 UTC with milliseconds: how every stored time looks. */
  now(): string;
  /** Now, in milliseconds since the epoch. */
  millis(): number;
}

/**
 * Has what ends at `until` begun and not ended? An end further ahead than its own length was set under a wrong clock: it counts
 * as ended, or it would hold until that clock was right.
 * @param until milliseconds since the epoch
 * @param ms its length; several servers' clocks differ a little, so give what they share twice its length
 */
export function isRunning(until: number, ms: number, now: number): boolean {
  const left = until - now;
  return left > 0 && left <= ms;
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  millis: () => Date.now(),
};

/** A clock that only moves when set. */
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
