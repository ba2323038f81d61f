/**
 * `npm run bench -- repository`: a company's repository from outside. `repository:clone`, `:load`, `:push`, `:rebuild`,
 * `:proof`, `:lag` and `:fsck` are its parts. Needs git, and a build.
 */
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cpuOf, cpuSeconds } from "./cpu-seconds.ts";
import { figureBesidePeer, median, type Figure } from "./figure.ts";
import { proof, rebuild } from "./repository-history.ts";
import { push } from "./repository-push.ts";
import { fsck, lag } from "./repository-saves.ts";
import { inFolder, quick, seed, serve, start, type Served } from "./repository-served.ts";
import { memoryMiB } from "./server-process.ts";

const versions = quick ? 400 : 2_000;
const rounds = quick ? 3 : 7;
const clonesAtOnce = 50;

const parts: Record<string, () => AsyncIterable<Figure>> = { clone: clones, load, push, rebuild, proof, lag, fsck };

/** @param names of parts; empty: all */
export async function* run(names: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [name, part] of Object.entries(parts)) if (names.length === 0 || names.includes(name)) yield* part();
}

function whileServed(work: (served: Served, dir: string) => AsyncIterable<Figure>): AsyncGenerator<Figure> {
  return inFolder(async function* (dir) {
    const served = await serve(await seed(path.join(dir, "data"), versions));
    try {
      yield* work(served, dir);
    } finally {
      await served.server.stop();
    }
  });
}

async function cloned(from: string, to: string): Promise<number> {
  const began = performance.now();
  await start("git", ["-c", "gc.auto=0", "clone", "-q", "--bare", from, to]);
  const taken = performance.now() - began;
  await rm(to, { recursive: true });
  return taken;
}

const cloning = (from: string) => ["sh", "-c", `git clone -q --bare '${from}' cpu.git && rm -r cpu.git`];

function clones(): AsyncGenerator<Figure> {
  return whileServed(async function* ({ address, gitdir, server }, dir) {
    const taken = { http: [] as number[], file: [] as number[] };
    const to = path.join(dir, "clone.git");
    await cloned(address, to);
    for (let turn = 0; turn < rounds; turn += 1) {
      taken.file.push(await cloned(`file://${gitdir}`, to));
      taken.http.push(await cloned(address, to));
    }
    const name = `repository: clone of ${versions} SOPs, packed, beside git clone of the folder`;
    yield figureBesidePeer(name, "ms", median(taken.http), median(taken.file), "<= 1.5");
    const before = await cpuOf(server.child.pid);
    const [http, file] = await cpuSeconds([cloning(address), cloning(`file://${gitdir}`)], dir, rounds);
    const served = ((await cpuOf(server.child.pid)) - before) / rounds;
    yield figureBesidePeer(`${name}: processor time of both sides`, "s", http + served, file, "<= 1.5");
  });
}

/** The peer of a server that serves 50 clones is the same server alone, and while 50 clones of the folder run beside it. */
function load(): AsyncGenerator<Figure> {
  return whileServed(async function* ({ server, cookie, address, gitdir }, dir) {
    const many = path.join(dir, "many");
    // clients work elsewhere: their half of a clone, and its start, must not take time from the server or from the clock
    const clone = `for i in $(seq ${clonesAtOnce}); do git -c gc.auto=0 clone -q --bare "$0" "$1/$i" & done; wait; rm -r "$1"`;
    const all = (from: string) => () => start("nice", ["-n", "19", "sh", "-c", clone, from, many]);
    const ask = async () => {
      const began = performance.now();
      const answer = await fetch(`${server.url}/api/sops?limit=20`, { headers: { cookie } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`list: ${answer.status}`);
      return performance.now() - began;
    };
    // the first requests of a server are slower
    await during(() => delay(5_000), ask);
    const alone = await during(() => delay(10_000), ask);
    const peakMiB = () => memoryMiB(server.child.pid, "VmHWM") ?? Number.NaN;
    const before = peakMiB();
    const beside = await during(all(`file://${gitdir}`), ask);
    const serving = await during(all(address), ask);
    const name = `repository: p99 of a list during ${clonesAtOnce} clones at once`;
    yield figureBesidePeer(`${name}, beside alone`, "ms", serving, alone, "<= 2");
    yield figureBesidePeer(`${name}, beside the same clones of the folder`, "ms", serving, beside);
    const memory = "repository: largest memory of the server then, beside before";
    yield figureBesidePeer(memory, "MiB", peakMiB(), before);
  });
}

/** 50 requests a second while `work` runs. @returns their p99 in ms */
async function during(work: () => Promise<unknown>, ask: () => Promise<number>): Promise<number> {
  const asked: Promise<number>[] = [];
  const timer = setInterval(() => asked.push(ask()), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const taken = (await Promise.all(asked)).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length * 0.99)] ?? Number.NaN;
}
