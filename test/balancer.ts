/**
 * A balancer for tests of several servers. It is consistent by session, uses only servers whose `/readyz` answers 200,
 * and keeps connections alive. It never repeats a request, so each failure of a server reaches the client.
 */
import { createHash } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Balancer {
  url: string;
  /** Replaces a server; null while there is none. */
  set(place: number, url: string | null): void;
  isReady(place: number): boolean;
  stop(): Promise<void>;
}

const lookEveryMs = 100;
const lookForMs = 3_000;

interface Upstream {
  url: string | null;
  isReady: boolean;
  agent: Agent;
}

export async function startBalancer(places: number): Promise<Balancer> {
  const newUpstream = (): Upstream => ({ url: null, isReady: false, agent: new Agent({ keepAlive: true }) });
  const upstreams = Array.from({ length: places }, newUpstream);

  let isStopped = false;

  /** Checks a server. An answer of 503, or no answer in three seconds, takes it out at once. */
  async function look(one: Upstream): Promise<void> {
    const { url } = one;
    if (url === null) return;
    const isUp = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(lookForMs) })
      .then(async (answer) => ((await answer.text()) !== "" ? answer.ok : false))
      .catch(() => false);
    if (one.url === url) one.isReady = isUp;
  }

  async function watch(place: number): Promise<void> {
    while (!isStopped) {
      const one = upstreams[place];
      if (one) await look(one);
      await delay(lookEveryMs);
    }
  }
  const watching = upstreams.map((_, place) => watch(place));

  /** Chooses a server by rendezvous hashing, so that sessions stay when another server leaves. */
  function choose(key: string): Upstream | undefined {
    const weight = (place: number) => createHash("sha256").update(`${place} ${key}`).digest("hex");
    return upstreams
      .map((one, place) => ({ one, weight: weight(place) }))
      .filter(({ one }) => one.isReady)
      .sort((a, b) => (a.weight < b.weight ? 1 : -1))[0]?.one;
  }

  const server = createServer((incoming, answer) => {
    const upstream = choose(incoming.headers.cookie ?? "");
    if (!upstream?.url) return void answer.writeHead(502).end();
    const { url, agent } = upstream;
    const { method, url: path = "/", headers } = incoming;
    const outgoing = request(new URL(path, url), { agent, ...(method && { method }), headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    outgoing.on("error", () => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set(place, url) {
      upstreams[place]?.agent.destroy();
      upstreams[place] = { ...newUpstream(), url };
    },
    isReady: (place) => upstreams[place]?.isReady ?? false,
    async stop() {
      isStopped = true;
      await Promise.all(watching);
      for (const { agent } of upstreams) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
