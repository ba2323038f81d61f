/**
 * After ^C a running request gets these milliseconds to end, so that its result is known. A second ^C ends the program
 * at once.
 */
const graceMs = 5_000;

/** Aborts some seconds after the signal does. */
export function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const startGrace = () => {
    setTimeout(() => late.abort(signal.reason), graceMs).unref();
  };
  if (signal.aborted) startGrace();
  else signal.addEventListener("abort", startGrace, { once: true });
  return late.signal;
}
