/** Search in one company beside MiniSearch on the same texts, and what other requests feel while an index is made anew. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  collections,
  miniSearchEngine,
  ourEngine,
  plainFtsEngine,
  success,
  typedSoFar,
  withOneSlip,
} from "../test/search/quality.ts";
import { ensureAdmin } from "../server/accounts/setup.ts";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { beside, median, round, type Figure } from "./figure.ts";
import { seedSops } from "./seed-sops.ts";
import { signIn, startServer } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const sizes = quick ? [2_000] : [2_000, 10_000];
const account = { username: "bench-manager", password: "a long bench password" };

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  if (wanted("engine")) for (const size of sizes) yield* besideMiniSearch(size);
  if (wanted("quality")) yield* quality();
  if (wanted("anew")) yield* whileMadeAnew(sizes.at(-1) ?? 2_000);
}

interface Measured {
  buildMs: number;
  memoryMb: number;
  p50: number;
  p99: number;
  fileMb: number;
}

function measured(engine: string, size: number): Measured {
  const script = path.join(import.meta.dirname, "search-engine.ts");
  return JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, engine, String(size)], { encoding: "utf8" }),
  ) as Measured;
}

function* besideMiniSearch(size: number): Generator<Figure> {
  const ours: Measured[] = [];
  const mini: Measured[] = [];
  for (let round_ = 0; round_ < (quick ? 1 : 3); round_++) {
    ours.push(measured("ours", size));
    mini.push(measured("minisearch", size));
  }
  const of = (from: readonly Measured[], key: keyof Measured) => median(from.map((one) => one[key]));
  const small = size <= 2_000;
  const about = `search, ${size} SOPs`;
  yield beside(`${about}: build, CPU`, "ms", of(ours, "buildMs"), of(mini, "buildMs"), small ? "≤ 0.3" : "≤ 1");
  yield beside(`${about}: memory`, "MB", of(ours, "memoryMb"), of(mini, "memoryMb"), "≤ 0.5");
  yield beside(`${about}: p50`, "ms", of(ours, "p50"), of(mini, "p50"));
  yield beside(`${about}: p99`, "ms", of(ours, "p99"), of(mini, "p99"), small ? "≤ 1, and ≤ 10 ms" : "≤ 1");
  yield { name: `${about}: file`, value: round(of(ours, "fileMb")), unit: "MB" };
}

async function* quality(): AsyncGenerator<Figure> {
  const kinds = [
    {
      kind: "as typed, success@3",
      made: (queries: Parameters<typeof typedSoFar>[0]) => queries,
      within: 3,
      goal: "≥ 0.95",
    },
    { kind: "still being typed, success@5", made: typedSoFar, within: 5, goal: "≥ 0.9" },
    { kind: "one slip, success@5", made: withOneSlip, within: 5, goal: "≥ 0.9" },
  ];
  for (const { kind, made, within, goal } of kinds) {
    const shares: number[] = [];
    for (const engineOf of [ourEngine, miniSearchEngine, plainFtsEngine]) {
      let [asked, missed] = [0, 0];
      for (const { texts, queries } of collections()) {
        const answered = await success(await engineOf(texts), made(queries), within);
        asked += made(queries).length;
        missed += answered.missed.length;
      }
      shares.push(1 - missed / asked);
    }
    const [ours = 0, mini = 0, plain = 0] = shares;
    yield beside(`search, ${kind}, beside MiniSearch`, "share", ours, mini, goal);
    yield beside(`search, ${kind}, beside FTS5 porter`, "share", ours, plain, goal);
  }
}

/** Lists are asked for one after the other while the server, started without an index, makes it. */
async function* whileMadeAnew(size: number): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const env = { DATA_DIR: dir, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
    const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
    await ensureAdmin(services);
    await seedSops(services, account.username, size);
    await services.close();
    const program = process.env["SOP_BENCH_SERVER"] ?? "dist/server.js";
    const first = await startServer(program, env);
    await caughtUp(first.url, await signIn(first.url, account.username, account.password));
    await first.stop();
    await rm(path.join(dir, "search"), { recursive: true, force: true });
    const server = await startServer(program, env);
    const cookie = await signIn(server.url, account.username, account.password);
    const ask = async (address: string) => {
      const from = performance.now();
      const answer = await fetch(`${server.url}${address}`, { headers: { cookie } });
      await answer.arrayBuffer();
      return { ms: performance.now() - from, ok: answer.ok };
    };
    const built = ask("/api/search?q=pump").then(({ ms }) => ms);
    const during = await asking(ask, built);
    const buildMs = await built;
    const normal = await asking(ask, new Promise((resolve) => setTimeout(resolve, Math.max(2_000, buildMs))));
    await server.stop();
    yield { name: `search, ${size} SOPs: made anew behind a first question`, value: round(buildMs), unit: "ms" };
    yield beside("search: p99 of other requests while an index is made anew", "ms", during, normal, "< 3");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

type Ask = (address: string) => Promise<{ ms: number; ok: boolean }>;

async function asking(ask: Ask, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  void until.then(() => (isOver = true));
  const times: number[] = [];
  while (!isOver || times.length < 50) times.push((await ask(`/api/sops?limit=20&total=${times.length % 2 === 0}`)).ms);
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

/** The repository commits what was seeded: it is not what is measured. */
async function caughtUp(url: string, cookie: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/repository`, { headers: { cookie } });
    const { lag } = (await answer.json()) as { lag: number };
    if (lag === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
