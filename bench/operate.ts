/** Figures of a running server: view, list and save at 10 and 50 connections, beside peers in the same rounds. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { backup } from "./operate-backup.ts";
import { memory } from "./operate-memory.ts";
import { mixed } from "./operate-mixed.ts";
import { profile } from "./operate-profile.ts";
import { count, measure, quick, savesOf, seconds, serveData, withData, type Rate } from "./operate-server.ts";
import { starts } from "./operate-start.ts";
import { fromTests } from "./proof.ts";
import { rawTransactions } from "./raw-sqlite.ts";
import { startServer } from "./server-process.ts";

const rounds = quick ? 2 : 3;

const parts: Record<string, () => AsyncIterable<Figure>> = {
  requests,
  install: () => tested("test/server-package.test.ts"),
  start: starts,
  mixed,
  memory,
  profile,
  backup,
  copies: () => tested("server/snapshots/snapshots.test.ts"),
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

function requests(): AsyncGenerator<Figure> {
  return withData(async function* (data) {
    const { server, cookie } = await serveData(data);
    try {
      yield* reads(server.url, cookie, data.dir);
      yield* saves(server.url, cookie, data.dir);
    } finally {
      await server.stop();
    }
  });
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
  for (const connections of [1, 10]) {
    const requests = await savesOf(url, cookie, connections * 5);
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

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
