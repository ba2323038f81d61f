/** Figures of a running server: view, list and save at 10 and 50 connections, beside peers in the same rounds. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { ensureAdmin } from "../server/sign-in/setup.ts";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { backup } from "./operate-backup.ts";
import { fromTests } from "./proof.ts";
import { rawTransactions } from "./raw-sqlite.ts";
import { seedSops } from "./seed-sops.ts";
import { settle, signIn, startServer } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const count = quick ? 2_000 : 10_000;
const seconds = quick ? 3 : 6;
const rounds = quick ? 2 : 3;
const account = { username: "bench-manager", password: "a long bench password" };

interface Rate {
  rate: number;
  p99: number;
}

const parts: Record<string, () => AsyncIterable<Figure>> = {
  requests,
  backup,
  scale: () => tested("test/scale.test.ts"),
  servers: () => tested("test/servers.test.ts"),
};

async function* tested(file: string): AsyncGenerator<Figure> {
  yield* await fromTests(file);
}

/** @param names of parts; empty: all */
export async function* run(names: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [name, part] of Object.entries(parts)) if (names.length === 0 || names.includes(name)) yield* part();
}

async function* requests(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const env = { DATA_DIR: dir, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
    const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
    await ensureAdmin(services);
    await seedSops(services, account.username, count);
    await services.close();
    const ours = await startServer("dist/server/main.js", env);
    const cookie = await signIn(ours.url, account.username, account.password);
    await settle(ours.url, cookie);
    try {
      yield* reads(ours.url, cookie, dir);
      yield* saves(ours.url, cookie, dir);
    } finally {
      await ours.stop();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** View and list beside a bare Koa app with the same bytes. */
async function* reads(url: string, cookie: string, dir: string): AsyncGenerator<Figure> {
  const list = `${url}/api/sops?limit=20`;
  const rows = (await (await fetch(list, { headers: { cookie } })).json()) as { data: { id: string }[] };
  const view = `${url}/api/sops/${rows.data[0]?.id}`;
  for (const [name, address, goal] of [
    ["view", view, "≥ 0.45 at 10 connections"],
    ["list", list, "≥ 0.4 at 10 connections"],
  ] as const) {
    const file = path.join(dir, `${name}.json`);
    await writeFile(file, await (await fetch(address, { headers: { cookie } })).text());
    const bare = await startServer("bench/bare-koa.ts", { BODY_FILE: file });
    for (const connections of [10, 50]) {
      const [own, peer]: [Rate[], Rate[]] = [[], []];
      for (let n = 0; n < rounds; n++) {
        peer.push(await measure({ url: bare.url, connections }));
        own.push(await measure({ url: address, connections, headers: { cookie } }));
      }
      const rate = (rates: readonly Rate[]) => median(rates.map((one) => one.rate));
      const what = `${name} of ${count} SOPs, ${connections} connections`;
      yield figureBesidePeer(`${what}, beside Koa with the bytes`, "requests/s", rate(own), rate(peer), goal);
      yield { name: `${what}: p99`, value: round(median(own.map(({ p99 }) => p99))), unit: "ms", goal: "≤ 30 at 50" };
    }
    await bare.stop();
  }
}

/** Saves of different SOPs beside raw SQLite transactions that write as many rows and bytes, each synced. */
async function* saves(url: string, cookie: string, dir: string): AsyncGenerator<Figure> {
  const found = (await (await fetch(`${url}/api/sops?limit=60`, { headers: { cookie } })).json()) as {
    data: { id: string }[];
  };
  const texts = Array.from(
    { length: 400 },
    (_, n) => `## Purpose\n\nKeep pump ${n} safe.\n\n1. Check the valve ${n}.\n`,
  );
  for (const connections of [1, 10]) {
    const requests = found.data.slice(0, connections * 5).flatMap(({ id }, n) =>
      texts.slice(n, n + 40).map((markdown) => ({
        method: "PUT" as const,
        path: `/api/sops/${id}`,
        headers: { cookie, "content-type": "application/json", origin: url },
        body: JSON.stringify({ markdown }),
      })),
    );
    const [own, peer]: [number[], number[]] = [[], []];
    for (let n = 0; n < rounds; n++) {
      peer.push(await rawTransactions(path.join(dir, "raw.db"), seconds));
      own.push((await measure({ url, connections, requests })).rate);
    }
    yield figureBesidePeer(
      `saves, ${connections} connections, beside raw SQLite transactions of 8 rows and 12 kB`,
      "saves/s",
      median(own),
      median(peer),
      connections === 10 ? "≥ 0.4, ≥ 250/s" : "≥ 0.4",
    );
  }
}

async function measure(options: autocannon.Options): Promise<Rate> {
  const result = await autocannon({ duration: seconds, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
