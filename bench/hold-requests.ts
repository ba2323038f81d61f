/** The requests that both companies of `bench hold:share` send. */
import { createHash } from "node:crypto";

/** A longer wait counts as a timeout. */
const patienceMs = 30_000;

/** A signed-in person. */
export interface Person {
  url: string;
  cookie: string;
}

export interface Answer {
  status: number;
  body: string;
}

export async function ask(person: Person, method: string, target: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(person.url + target, {
    method,
    headers: { cookie: person.cookie, origin: person.url, "content-type": "application/json" },
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.text() };
}

/** Reads a large answer and discards it. */
export async function receive(person: Person, target: string): Promise<void> {
  const headers = { cookie: person.cookie };
  const answer = await fetch(person.url + target, { headers, signal: AbortSignal.timeout(patienceMs) });
  await answer.body?.pipeTo(new WritableStream());
}

export function documentOf(steps: string): { path: string; text: string; sha256: string } {
  const text = `# Import ${unique()}\n\n${steps}`;
  return { path: `${unique()}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
}

let made = 0;
export const unique = () => `${process.pid}-${++made}`;
