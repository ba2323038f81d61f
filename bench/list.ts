/**
 * `GET /api/sops`: 20 rows of 10,000, signed in, embedded engine. The peers are two bare Koa apps: one writes the same
 * rows as JSON, one has the bytes in memory.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { readConfig } from "../server/config.ts";
import { ensureSystemAdmin } from "../server/sign-in/setup.ts";
import { openServices } from "../server/services.ts";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { seedSops } from "./seed-sops.ts";
import { settle, signIn, startServer } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const count = quick ? 2_000 : 10_000;
const seconds = quick ? 2 : 5;
const rounds = quick ? 2 : 4;
const account = { username: "bench-manager", password: "a long bench password" };

export async function* run(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const env = { DATA_DIR: dir, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
    await seed(env);
    const ours = await startServer(process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js", env);
    const cookie = await signIn(ours.url, account.username, account.password);
    await settle(ours.url, cookie);
    const list = `${ours.url}/api/sops?limit=20`;
    const body = await (await fetch(list, { headers: { cookie } })).text();
    const bodyFile = path.join(dir, "body.json");
    await writeFile(bodyFile, body);
    const bare = await startServer("bench/bare-koa.ts", { BODY_FILE: bodyFile });
    const rows = await startServer("bench/bare-koa.ts", { BODY_FILE: bodyFile, BODY_AS: "rows" });

    const results = { ours: [] as number[], bare: [] as number[], rows: [] as number[], p99: [] as number[] };
    await measure(list, cookie, 1);
    await measure(bare.url, "", 1);
    await measure(rows.url, "", 1);
    for (let round_ = 0; round_ < rounds; round_++) {
      results.bare.push((await measure(bare.url, "", seconds)).rate);
      results.rows.push((await measure(rows.url, "", seconds)).rate);
      const { rate, p99 } = await measure(list, cookie, seconds);
      results.ours.push(rate);
      results.p99.push(p99);
    }
    const pages = await cursors(list, cookie);
    const unseen = median([await turning(ours.url, pages, cookie), await turning(ours.url, pages, cookie)]);
    await bare.stop();
    await rows.stop();
    await ours.stop();
    const name = `list: 20 of ${count} rows, signed in`;
    yield figureBesidePeer(
      `${name}, beside Koa writing the rows`,
      "requests/s",
      median(results.ours),
      median(results.rows),
    );
    yield figureBesidePeer(
      `${name}, beside Koa with the bytes`,
      "requests/s",
      median(results.ours),
      median(results.bare),
    );
    yield figureBesidePeer(
      `list: ${pages.length} different pages in turn, beside Koa writing the rows`,
      "requests/s",
      unseen,
      median(results.rows),
    );
    yield { name: "list: p99 at 10 connections", value: round(median(results.p99)), unit: "ms" };
    yield { name: "list: answer", value: body.length, unit: "bytes" };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function seed(env: Record<string, string>): Promise<void> {
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  await ensureSystemAdmin(services);
  await seedSops(services, account.username, count);
  await services.close();
}

/** Addresses of all pages but the first: more than the engine caches. */
async function cursors(list: string, cookie: string): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | undefined = ""; next !== undefined;) {
    const page = (await (await fetch(`${list}${next && `&cursor=${next}`}`, { headers: { cookie } })).json()) as {
      nextCursor?: string;
    };
    next = page.nextCursor;
    if (next !== undefined) found.push(`/api/sops?limit=20&cursor=${next}`);
  }
  return found;
}

async function turning(url: string, pages: readonly string[], cookie: string): Promise<number> {
  const requests = pages.map((page) => ({ method: "GET" as const, path: page, headers: { cookie } }));
  const result = await autocannon({ url, connections: 10, duration: seconds, requests });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals`);
  return result.requests.average;
}

async function measure(url: string, cookie: string, duration: number): Promise<{ rate: number; p99: number }> {
  const result = await autocannon({ url, connections: 10, duration, ...(cookie ? { headers: { cookie } } : {}) });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
