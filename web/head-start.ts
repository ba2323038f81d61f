/** Reads that were sent before the application was there to send them: each answer serves one request, and not for long. */
const keptMs = 10_000;
const started = new Map<string, { answer: Promise<Response>; at: number }>();

export function startRead(url: string): Promise<Response> {
  const answer = fetch(url, { headers: { accept: "application/json" }, credentials: "include" });
  // who takes it hears of a failure; nobody may
  answer.catch(() => undefined);
  started.set(url, { answer, at: performance.now() });
  return answer.then((response) => response.clone());
}

export function takeStarted(url: string): Promise<Response> | undefined {
  const one = started.get(url);
  started.delete(url);
  return one && performance.now() - one.at < keptMs ? one.answer : undefined;
}
