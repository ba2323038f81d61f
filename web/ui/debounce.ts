/** Waits until calls pause, but not forever. */
export interface Debounce {
  /** Calls this, and none of the ones before it, after the pause. */
  schedule(run: () => void): void;
  cancel(): void;
}

/**
 * @param restMs the pause
 * @param mostMs the longest wait since the first call
 */
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
      const end = (): void => {
        since = null;
        run();
      };
      timer = setTimeout(end, Math.min(restMs, since + mostMs - now));
    },
  };
}
