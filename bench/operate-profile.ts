/** Where the thread that answers spends its time for a view, a list and a save: the widest parts of their flame graphs. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Profiler } from "node:inspector";
import { cpuOfFirstThread } from "./cpu-seconds.ts";
import { round, type Figure } from "./figure.ts";
import { measure, savesOf, seconds, serveData, withData } from "./operate-server.ts";

const lines = 14;
/** The thread waits. */
const waiting = new Set(["(idle)", "(root)"]);

/** The server runs from its sources, so that functions have their names. */
export function profile(): AsyncGenerator<Figure> {
  return withData(async function* (data) {
    for (const name of ["view", "list", "save"] as const) {
      const folder = path.join(data.dir, `profile-${name}`);
      const options = `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${folder}`;
      const { server, cookie } = await serveData(data, "server/main.ts", { NODE_OPTIONS: options, DRAIN_SECONDS: "0" });
      const { url } = server;
      const rows = (await (await fetch(`${url}/api/sops?limit=20`, { headers: { cookie } })).json()) as {
        data: { id: string }[];
      };
      const headers = { cookie };
      const asked = {
        view: () => measure({ url: `${url}/api/sops/${rows.data[0]?.id}`, connections: 10, headers }),
        list: () => measure({ url: `${url}/api/sops?limit=20`, connections: 10, headers }),
        save: async () => measure({ url, connections: 10, requests: await savesOf(url, cookie, 50) }),
      };
      const before = await cpuOfFirstThread(server.child.pid);
      const { requests } = await asked[name]();
      const used = (await cpuOfFirstThread(server.child.pid)) - before;
      await server.stop();
      yield {
        name: `${name}: processor time of each request, profiled`,
        value: round((used * 1000) / requests),
        unit: "ms",
      };
      yield* widest(name, await mainProfile(folder));
    }
  });
}

/** Threads have profiles too. That of the thread that answers is the largest. */
async function mainProfile(folder: string): Promise<Profiler.Profile> {
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), "utf8")));
  const [largest = "{}"] = texts.toSorted((a, b) => b.length - a.length);
  return JSON.parse(largest) as Profiler.Profile;
}

function* widest(name: string, { nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const named = new Map(nodes.map(({ id, callFrame }) => [id, frameName(callFrame)]));
  const spent = new Map<string, number>();
  // the server stopped right after the requests: what is before them is its start
  let fromEnd = timeDeltas.reduce((sum, one) => sum + one, 0);
  samples.forEach((id, n) => {
    const [frame, time] = [named.get(id) ?? "", timeDeltas[n] ?? 0];
    if (fromEnd < seconds * 1e6 && !waiting.has(frame)) spent.set(frame, (spent.get(frame) ?? 0) + time);
    fromEnd -= time;
  });
  const all = [...spent.values()].reduce((sum, one) => sum + one, 0);
  const sorted = [...spent].toSorted(([, one], [, other]) => other - one).slice(0, lines);
  for (const [frame, time] of sorted)
    yield { name: `${name}: time in ${frame}`, value: round((100 * time) / all), unit: "% of busy time" };
}

function frameName({ functionName, url, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  const file = /(?:node_modules|(?=server|core))\/?([^?]+)$/.exec(url)?.[1] ?? url;
  return url === "" ? functionName : `${functionName || "(anonymous)"} ${file}:${lineNumber + 1}`;
}
