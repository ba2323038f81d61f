/**
 * The milliseconds that a running request gets to end after ^C, so that its result is known. A second ^C ends the
 * program at once.
 */
const graceMs = 5_000;

/** Returns a signal that aborts `graceMs` after the given one. */
export function createGraceSignal(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const startGrace = () => {
    setTimeout(() => late.abort(signal.reason), graceMs).unref();
  };
  if (signal.aborted) startGrace();
  else signal.addEventListener("abort", startGrace, { once: true });
  return late.signal;
}
