/** Runs `work` soon after each call, at most once every `everyMs`, and never for calls that come while one waits. */
export function throttle(work: () => Promise<void>, everyMs: number, failed: (error: unknown) => void) {
  let ranAt = Number.NEGATIVE_INFINITY;
  let waiting: NodeJS.Timeout | null = null;
  return {
    call(): void {
      if (waiting) return;
      const run = () => {
        waiting = null;
        ranAt = performance.now();
        work().catch(failed);
      };
      waiting = setTimeout(run, Math.max(0, ranAt + everyMs - performance.now()));
      waiting.unref();
    },
    stop(): void {
      if (waiting) clearTimeout(waiting);
    },
  };
}
