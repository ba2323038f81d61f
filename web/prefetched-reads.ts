/**
 * Keeps reads that were sent before the application loaded. Each answer serves one request and is kept for a short
 * time. All are discarded when something changes: new data, or another user who signs in, also in another tab.
 */

/** The channel on which tabs announce a sign-in or sign-out. */
export const sessionChannel = "sopwright-session";

/** The milliseconds after which answers are too old to use. */
const maxAgeMs = 10_000;
const startedReads = new Map<string, Promise<Response>>();
let firstAt: number | undefined;
let isOver = false;

new BroadcastChannel(sessionChannel).addEventListener("message", discardPrefetched);

/** Sends a read and keeps its answer for `takePrefetched`. Rejects after the answers were discarded. */
export function prefetchRead(url: string): Promise<Response> {
  if (isOver) return Promise.reject(new Error("too late to be early"));
  firstAt ??= performance.now();
  const answer = fetch(url, { headers: { accept: "application/json" }, credentials: "include" });
  // the caller that takes the answer handles a failure
  answer.catch(() => undefined);
  startedReads.set(url, answer);
  return answer.then((response) => response.clone());
}

/** Returns the answer to a read and forgets it; undefined if that read wasn't sent early or is too old. */
export function takePrefetched(url: string): Promise<Response> | undefined {
  // The first answer has the number of the last event. If that answer is old, the other answers may lack the changes of
  // later events.
  if (firstAt !== undefined && performance.now() - firstAt > maxAgeMs) discardPrefetched();
  const answer = startedReads.get(url);
  startedReads.delete(url);
  return answer;
}

/** Discards all answers for good. Later reads are sent when they are needed. */
export function discardPrefetched(): void {
  isOver = true;
  startedReads.clear();
}
