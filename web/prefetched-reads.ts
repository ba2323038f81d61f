/**
 * Reads that were sent before the application was there to send them: each answer serves one request, all of them not for
 * long, and none once something changed: who is signed in, here or in another tab, or what was read.
 */

/** On it, tabs tell each other that somebody signed in or out. */
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
  // who takes it hears of a failure; nobody may
  answer.catch(() => undefined);
  started.set(url, answer);
  return answer.then((response) => response.clone());
}

export function takePrefetched(url: string): Promise<Response> | undefined {
  // the first one told where the events begin that the others may have missed: without it none of them is sound
  if (firstAt !== undefined && performance.now() - firstAt > keptMs) discardPrefetched();
  const answer = started.get(url);
  started.delete(url);
  return answer;
}

/** For good: what is asked for from now on is asked for by who needs it. */
export function discardPrefetched(): void {
  isOver = true;
  started.clear();
}
