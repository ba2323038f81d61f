/**
 * Stops a page's timers when the page closes. Otherwise a timer outlives its test file and fires when there is no page.
 */
type Timers = Pick<typeof globalThis, "setTimeout" | "setInterval" | "clearTimeout">;

/** @returns a function that stops all timers that were started after this call, as closing a tab does */
export function holdTimers(page: Timers): () => void {
  const started = new Set<ReturnType<typeof setTimeout>>();
  const held = <Start extends (...args: never[]) => ReturnType<typeof setTimeout>>(start: Start): Start =>
    new Proxy(start, {
      apply(target, self, args) {
        const timer = Reflect.apply(target, self, args);
        started.add(timer);
        return timer;
      },
    });
  page.setTimeout = held(page.setTimeout);
  page.setInterval = held(page.setInterval);
  return () => {
    for (const timer of started) page.clearTimeout(timer);
    started.clear();
  };
}
