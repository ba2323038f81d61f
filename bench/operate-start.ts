/** A cold start with many SOPs, beside the start of a bare Koa app, and the memory of the server then. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { count, quick, serveData, withData } from "./operate-server.ts";
import { memoryMiB, startServer } from "./server-process.ts";

const rounds = quick ? 2 : 5;

export async function* starts(): AsyncGenerator<Figure> {
  yield* startsWith(count, "≤ 1.2 s");
  // as ten companies: git writes each folder again with each commit, so one company of this size takes an hour
  if (!quick) yield* startsWith(count * 10, "≤ 2.5 s", 10);
}

function startsWith(sops: number, goal: string, companies = 1): AsyncGenerator<Figure> {
  return withData(
    async function* (data) {
      const file = path.join(data.dir, "body.json");
      await writeFile(file, "{}");
      const [own, peer, memory]: [number[], number[], number[]] = [[], [], []];
      for (let n = 0; n < rounds; n++) {
        peer.push(await seconds("bench/bare-koa.ts", { BODY_FILE: file }));
        own.push(await seconds("dist/server/main.js", data.env, memory));
      }
      yield figureBesidePeer(`start with ${sops} SOPs, beside bare Koa`, "s", median(own), median(peer), goal);
      const { server, cookie } = await serveData(data);
      const search = async () => {
        const began = performance.now();
        const answer = await fetch(`${server.url}/api/search?q=pump`, { headers: { cookie } });
        await answer.arrayBuffer();
        return performance.now() - began;
      };
      const [loads, loaded] = [await search(), await search()];
      await server.stop();
      yield figureBesidePeer(`first search then, beside the second, ${sops} SOPs`, "ms", loads, loaded);
      yield { name: `memory then, idle, ${sops} SOPs`, value: round(median(memory)), unit: "MiB", goal: "≤ 200" };
    },
    sops,
    companies,
  );
}

async function seconds(program: string, env: Record<string, string>, memory?: number[]): Promise<number> {
  const began = performance.now();
  const server = await startServer(program, env);
  const ready = await fetch(`${server.url}/readyz`);
  await ready.arrayBuffer();
  const taken = (performance.now() - began) / 1000;
  if (!ready.ok) throw new Error(`${program} is not ready: ${ready.status}`);
  if (memory) {
    await delay(3_000);
    memory.push(memoryMiB(server.child.pid, "VmRSS") ?? Number.NaN);
  }
  await server.stop();
  return taken;
}
