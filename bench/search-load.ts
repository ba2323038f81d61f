/**
 * Searches together with lists: how much each slows the other, what the time of a search reveals, and the cost of a
 * cold index.
 */
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import autocannon from "autocannon";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { account, withData } from "./operate-server.ts";
import { signIn, startServer, type ServerProcess } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const seconds = quick ? 2 : 5;
const rounds = quick ? 1 : 3;
const pairs = quick ? 100 : 1_000;
const program = process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js";
const list = "/api/sops?limit=20";
const searches = { "a common word": "/api/search?q=pump", "two words": "/api/search?q=pump+valve" } as const;

/** Concurrent searchers for the figures about lists. */
const searchers = 3;

export function searchLoad(size: number): AsyncGenerator<Figure> {
  return withData(async function* (data) {
    // before the index is made: that is measured
    await rm(path.join(data.env.DATA_DIR, "search"), { recursive: true, force: true });
    const server = await startServer(program, data.env);
    try {
      const cookie = await signIn(server.url, account.username, account.password);
      yield* whileMade(server, cookie, size);
      yield* besideLists(server, cookie, size);
      if (size <= 10_000) yield* byTime(server, cookie, size);
    } finally {
      await server.stop();
    }
  }, size);
}

/** Requests lists one after the other while the server builds the index for the first searches. */
async function* whileMade({ url }: ServerProcess, cookie: string, size: number): AsyncGenerator<Figure> {
  const ask = async (address: string) => {
    const from = performance.now();
    const answer = await fetch(url + address, { headers: { cookie } });
    await answer.arrayBuffer();
    return { ms: performance.now() - from, status: answer.status, retryAfter: answer.headers.get("retry-after") };
  };
  const began = performance.now();
  let [isMade, longest, unclear] = [false, 0, 0];
  const making = (async () => {
    while (!isMade) {
      const { ms, status, retryAfter } = await ask("/api/search?q=pump");
      longest = Math.max(longest, ms);
      if (status === 200) isMade = true;
      else if (status !== 503 || retryAfter === null) unclear += 1;
    }
    return performance.now() - began;
  })();
  const asking = async (isOver: () => boolean) => {
    const found: number[] = [];
    for (let n = 0; !isOver() || found.length < 50; n++) found.push((await ask(`${list}&total=${n % 2 === 0}`)).ms);
    return found;
  };
  const times = await asking(() => isMade);
  const madeMs = await making;
  const until = performance.now() + 3_000;
  const normal = await asking(() => performance.now() > until);
  const about = `search, ${size} SOPs, cold`;
  yield { name: `${about}: first answer`, value: round(madeMs / 1_000), unit: "s" };
  yield {
    name: `${about}: longest wait for an answer or for "busy"`,
    value: round(longest),
    unit: "ms",
    goal: "≤ 11,000",
  };
  yield { name: `${about}: refusals without Retry-After`, value: unclear, unit: "answers", goal: "= 0" };
  yield figureBesidePeer(
    `${about}: p99 of lists while the index is made`,
    "ms",
    p99(times),
    p99(normal),
    "≤ 50 ms more",
  );
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
}

async function* besideLists({ url }: ServerProcess, cookie: string, size: number): AsyncGenerator<Figure> {
  const load = (address: string, connections: number) => measured(url + address, cookie, connections);
  const about = `search, ${size} SOPs`;
  for (const [kind, address] of Object.entries(searches)) {
    const [alone, together, found, waits, busy]: [number[], number[], number[], number[], number[]] = [
      [],
      [],
      [],
      [],
      [],
    ];
    await load(address, 1);
    for (let n = 0; n < rounds; n++) {
      alone.push((await load(list, 10)).rate);
      found.push((await load(address, 10)).rate);
      const [lists, beside_] = await Promise.all([load(list, 10), load(address, searchers)]);
      together.push(lists.rate);
      waits.push(beside_.p99);
      busy.push(await besideBusyProcess(() => load(list, 10)));
    }
    const rate = figureBesidePeer(
      `${about}, ${kind}, 10 connections, beside lists`,
      "requests/s",
      median(found),
      median(alone),
      "≥ 400/s",
    );
    yield rate;
    yield figureBesidePeer(
      `${about}: lists with ${searchers} searchers of ${kind}, beside lists alone`,
      "requests/s",
      median(together),
      median(alone),
      "≥ 0.6",
    );
    yield figureBesidePeer(
      `${about}: lists beside an unrelated process that is busy, beside lists alone`,
      "requests/s",
      median(busy),
      median(alone),
    );
    yield {
      name: `${about}: p99 of searches for ${kind} under that load`,
      value: round(median(waits)),
      unit: "ms",
      goal: size <= 10_000 ? "≤ 30" : "≤ 100",
    };
  }
}

/** How much any other busy thread slows lists on this machine: the best possible value for lists during searches. */
async function besideBusyProcess(run: () => Promise<{ rate: number }>): Promise<number> {
  const busy = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  try {
    return (await run()).rate;
  } finally {
    busy.kill();
  }
}

async function measured(url: string, cookie: string, connections: number): Promise<{ rate: number; p99: number }> {
  const result = await autocannon({ url, connections, duration: seconds, headers: { cookie } });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

const wordsOfEach = 50;

/** The two lists differ only in the order of syllables, so that looking up typos of both takes equally long. */
function wordPairs(): { hidden: string[]; nowhere: string[] } {
  const syllables = "bra cle dro fum gix hev jol kra mip nuz qua tsu vek wyn".split(" ");
  const words = new Set<string>();
  for (let n = 0; words.size < 2 * wordsOfEach; n++) {
    const parts = [0, 3, 5, 7].map((step) => syllables[(n * (step + 1) + step + Math.floor(n / 14)) % 14] ?? "");
    const [one, other] = [parts.join(""), parts.toReversed().join("")];
    if (one === other || words.has(one)) continue;
    words.add(one);
    words.add(other);
  }
  // so that the words created first are in both lists
  const all = [...words];
  const hidden = all.filter((_, at) => at % 4 === 0 || at % 4 === 3);
  const nowhere = all.filter((_, at) => at % 4 === 1 || at % 4 === 2);
  return { hidden, nowhere };
}

/** A viewer searches alternately for words of drafts and for words that no text has. */
async function* byTime(server: ServerProcess, cookie: string, size: number): AsyncGenerator<Figure> {
  const call = async (address: string, own: string, body?: object) => {
    const answer = await fetch(server.url + address, {
      method: body ? "POST" : "GET",
      headers: { cookie: own, ...(body ? { "content-type": "application/json", origin: server.url } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data?: unknown[] };
  };
  const viewer = { username: "bench-viewer", password: "another long bench password" };
  await call("/api/company/users", cookie, {
    ...viewer,
    name: "A Viewer",
    role: "viewer",
    email: "viewer@example.com",
  });
  const { hidden, nowhere } = wordPairs();
  for (let n = 0; n < 20; n++)
    await call("/api/sops", cookie, { title: `Draft ${n}`, description: "D", markdown: hidden.join(" ") });
  const own = await signIn(server.url, viewer.username, viewer.password);
  const timeOf = async (word: string) => {
    const from = performance.now();
    const { data } = await call(`/api/search?q=${word}`, own);
    if (data?.length !== 0) throw new Error(`a viewer finds ${word}`);
    return performance.now() - from;
  };
  for (let n = 0; n < 200; n++) await timeOf(hidden[n % wordsOfEach] ?? "");
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < pairs; n++) {
    // alternates the order
    for (const kind of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      times[kind].push(await timeOf([hidden, nowhere][kind]?.[n % wordsOfEach] ?? ""));
    }
  }
  const about = `search, ${size} SOPs: a word in drafts`;
  yield figureBesidePeer(`${about}, beside a word that occurs nowhere`, "ms", median(times[0]), median(times[1]));
  yield { name: `${about}: p of the signed-rank test`, value: round(signedRankP(...times)), unit: "p", goal: "> 0.05" };
}

/** Wilcoxon's signed-rank test, two-sided, by the normal approximation. */
function signedRankP(ones: readonly number[], others: readonly number[]): number {
  const differences = ones.map((one, at) => one - (others[at] ?? 0)).filter((difference) => difference !== 0);
  const sorted = differences.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  const positive = sorted.reduce((sum, difference, at) => sum + (difference > 0 ? at + 1 : 0), 0);
  const n = sorted.length;
  const z = Math.abs(positive - (n * (n + 1)) / 4) / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return 2 * (1 - normalBelow(z));
}

/** Abramowitz and Stegun 26.2.17. */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
