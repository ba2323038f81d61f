/** All reading routes together with saves and searches: their p99 with 50,000 SOPs beside that with 10,000, and the event loop's delay. */
import { routes } from "#core/api/routes.ts";
import type { Route } from "#core/contract/route.ts";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { count, quick, serveData, withData } from "./operate-server.ts";

const workers = 8;
const seconds = quick ? 10 : 60;

interface Measured {
  /** Route → its times, ascending, in milliseconds. */
  times: Map<string, number[]>;
  /** Milliseconds. */
  loopDelay: number;
  requests: number;
}

export async function* mixed(): AsyncGenerator<Figure> {
  const larger = count * 5;
  const [small, large] = [await measured(count), await measured(larger)];
  const beside = `, ${larger} SOPs beside ${count}`;
  for (const [name, share] of [
    ["median", 0.5],
    ["p99", 0.99],
  ] as const) {
    const figures = [...large.times].map(([route, times]) =>
      figureBesidePeer(
        `${name} of ${route}${beside}`,
        "ms",
        at(times, share),
        at(small.times.get(route), share),
        "<= 2",
      ),
    );
    yield* figures.toSorted((one, other) => (other.ratio ?? 0) - (one.ratio ?? 0));
    const over = figures.filter(({ ratio = 0 }) => ratio > 2).length;
    yield { name: `routes over twice their ${name}${beside}`, value: over, unit: `of ${figures.length}`, goal: "= 0" };
  }
  for (const [sops, { loopDelay, requests }] of [
    [count, small],
    [larger, large],
  ] as const) {
    yield { name: `event-loop delay p99, mixed load, ${sops} SOPs`, value: loopDelay, unit: "ms", goal: "< 50" };
    yield { name: `requests then`, value: round(requests / seconds), unit: "/s" };
  }
}

async function measured(sops: number): Promise<Measured> {
  for await (const found of withData(load, sops)) return found;
  throw new Error("nothing was measured");
}

async function* load(data: Parameters<typeof serveData>[0]): AsyncGenerator<Measured> {
  const { server, cookie } = await serveData(data);
  const headers = { cookie, origin: server.url, "content-type": "application/json" };
  const get = async (address: string) => {
    const answer = await fetch(server.url + address, { headers });
    return { ok: answer.ok, text: await answer.text() };
  };
  try {
    const rows = JSON.parse((await get("/api/sops?limit=100")).text) as { data: { id: string }[] };
    const ids = rows.data.map(({ id }) => id);
    const reads = await readable(async (address) => (await get(address)).ok, ids[0] ?? "");
    const times = new Map<string, number[]>();
    const took = async (route: string, request: () => Promise<{ ok: boolean; text: string }>) => {
      const began = performance.now();
      const { ok, text } = await request();
      if (!ok) throw new Error(`${route}: ${text}`);
      const all = times.get(route) ?? [];
      all.push(performance.now() - began);
      times.set(route, all);
    };
    const work = async (worker: number) => {
      const own = ids.filter((_, at) => at % workers === worker);
      for (let n = worker; performance.now() < end; n++) {
        const id = own[n % own.length] ?? "";
        const [route, address] = reads[n % reads.length] ?? ["", ""];
        await took(route, () => get(address.replace(":id", id)));
        if (n % 10 > 0) continue;
        const body = JSON.stringify({ markdown: `## Purpose\n\nSave ${n} of ${worker}.\n` });
        await took("PUT /api/sops/:id", async () => {
          const answer = await fetch(`${server.url}/api/sops/${id}`, { method: "PUT", headers, body });
          return { ok: answer.ok, text: await answer.text() };
        });
      }
    };
    // its histogram begins again after it was read
    await get("/metrics");
    const end = performance.now() + seconds * 1_000;
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    const metrics = (await get("/metrics")).text;
    const [, delay] = /^nodejs_eventloop_lag_p99_seconds ([\d.e-]+)$/m.exec(metrics) ?? [];
    yield {
      times: new Map([...times].map(([route, all]) => [route, all.toSorted((one, other) => one - other)])),
      loopDelay: round(Number(delay) * 1_000),
      requests: [...times.values()].reduce((sum, all) => sum + all.length, 0),
    };
  } finally {
    await server.stop();
  }
}

const at = (times: readonly number[] = [], share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;

/** All reads of an SOP, and those without a parameter, that answer this user. Those without a sign-in have a limit. */
async function readable(answers: (address: string) => Promise<boolean>, id: string): Promise<[string, string][]> {
  const all: Route[] = Object.values(routes).flatMap((group) => Object.values<Route>(group));
  const found: [string, string][] = [];
  for (const { method, path, access, kind = "json" } of all) {
    if (method !== "GET" || kind !== "json" || access === "public") continue;
    if (/:/.test(path.replace(/^\/api\/sops\/:id/, "").replace(":version", ""))) continue;
    const address = path.replace(":version", "1") + (path === "/api/search" ? "?q=pump+valve" : "");
    if (await answers(address.replace(":id", id))) found.push([`GET ${path}`, address]);
  }
  return found;
}
