/**
 * Reads sent before the application is loaded. Each answer serves one request and is kept for a short time. All are
 * discarded once something changed: another user signed in, here or in another tab, or new data.
 */

/** The channel on which tabs announce a sign-in or sign-out. */
export const sessionChannel = "sopwright-session";

const keptMs = 10_000;
const started = new Map<string, Promise<Response>>();
let firstAt: number | undefined;
let isOver = false;

new BroadcastChannel(sessionChannel).addEventListener("message", discardPrefetched);

export function prefetch(url: string): Promise<Response> {
  if (isOver) return Promise.reject(new Error("too late to be early"));
  firstAt ??= performance.now();
  const answer = fetch(url, { headers: { accept: "application/json" }, credentials: "include" });
  // the caller that takes the answer handles a failure
  answer.catch(() => undefined);
  started.set(url, answer);
  return answer.then((response) => response.clone());
}

export function takePrefetched(url: string): Promise<Response> | undefined {
  // the first answer says where the events begin that the others may have missed: without it, all are stale
  if (firstAt !== undefined && performance.now() - firstAt > keptMs) discardPrefetched();
  const answer = started.get(url);
  started.delete(url);
  return answer;
}

/** Permanently: later reads are requested where they are needed. */
export function discardPrefetched(): void {
  isOver = true;
  started.clear();
}
