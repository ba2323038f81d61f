/** Delays a call until no further call follows for a while, but at most for a given time. */
export interface Debounce {
  /** Calls `run` after the pause. A call that was scheduled earlier is dropped. */
  schedule(run: () => void): void;
  cancel(): void;
}

/** @param restMs the length of the pause @param mostMs the maximum delay since the first call */
export function createDebounce(restMs: number, mostMs = Infinity): Debounce {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since: number | null = null;
  return {
    cancel() {
      clearTimeout(timer);
      since = null;
    },
    schedule(run) {
      clearTimeout(timer);
      const now = Date.now();
      since ??= now;
      const endPause = (): void => {
        since = null;
        run();
      };
      timer = setTimeout(endPause, Math.min(restMs, since + mostMs - now));
    },
  };
}
