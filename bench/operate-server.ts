/** A server with many SOPs, and requests to it. */
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { createCompany } from "../server/companies/create.ts";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { ensureSystemAdmin } from "../server/sign-in/setup.ts";
import { cpuOf } from "./cpu-seconds.ts";
import { seedSops } from "./seed-sops.ts";
import { settle, signIn, startServer, type ServerProcess } from "./server-process.ts";

export const quick = process.env["SOP_BENCH_QUICK"] === "1";
export const count = quick ? 2_000 : 10_000;
export const seconds = quick ? 3 : 6;
export const account = { username: "bench-manager", password: "a long bench password" };

export interface Data {
  /** A folder for more than the data. */
  dir: string;
  env: { DATA_DIR: string; ADMIN_USERNAME: string; ADMIN_PASSWORD: string };
}

/** Data of `sops` SOPs, in so many companies alike, removed at the end. */
export async function* withData<T>(
  work: (data: Data) => AsyncIterable<T>,
  sops = count,
  companies = 1,
): AsyncGenerator<T> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const env = {
      DATA_DIR: path.join(dir, "data"),
      ADMIN_USERNAME: account.username,
      ADMIN_PASSWORD: account.password,
    };
    await seeded({ dir, env }, sops, companies);
    yield* work({ dir, env });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Seeding takes minutes: SOP_BENCH_SEEDED names a folder that keeps the data for the next run. */
async function seeded(data: Data, sops: number, companies: number): Promise<void> {
  const folder = process.env["SOP_BENCH_SEEDED"];
  const kept = folder === undefined ? null : path.join(folder, `${sops}-${companies}`);
  if (kept !== null && existsSync(kept)) return cp(kept, data.env.DATA_DIR, { recursive: true });
  const services = await openServices({ config: readConfig({ ...data.env, LOG_LEVEL: "warn" }) });
  await ensureSystemAdmin(services);
  await seedSops(services, account.username, sops / companies);
  for (let n = 1; n < companies; n++) {
    const founding = { name: `Company ${n}`, slug: `company-${n}`, at: services.clock.now() };
    const { _id } = await services.db.transaction((tx) => createCompany(tx, founding));
    await seedSops(services, account.username, sops / companies, _id);
  }
  await services.close();
  // repositories and indexes are made first: they are not measured
  const server = await startServer("dist/server/main.js", data.env);
  const made = async () =>
    (await readdir(path.join(data.env.DATA_DIR, "search"))).filter((name) => name.endsWith(".db"));
  while (!(await isQuiet(server)) || (await made()).length < companies) await delay(500);
  await server.stop();
  if (kept !== null) await cp(data.env.DATA_DIR, kept, { recursive: true });
}

/**
 * Nothing waits for a commit, and in a second it used less than a tenth of a processor: indexes are made, and the audit
 * log is chained.
 */
async function isQuiet({ url, child }: ServerProcess): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const [, waiting] = /^sopwright_repository_pending (\d+)$/m.exec(metrics) ?? [];
  if (waiting !== "0") return false;
  const before = await cpuOf(child.pid);
  await delay(1_000);
  return (await cpuOf(child.pid)) - before < 0.1;
}

/** Resolves when the repository has caught up. */
export async function serveData(
  { env }: Data,
  program = "dist/server/main.js",
  more: Record<string, string> = {},
): Promise<{ server: ServerProcess; cookie: string }> {
  const server = await startServer(program, { ...env, ...more });
  const cookie = await signIn(server.url, account.username, account.password);
  await settle(server.url, cookie);
  return { server, cookie };
}

const texts = Array.from({ length: 400 }, (_, n) => `## Purpose\n\nKeep pump ${n} safe.\n\n1. Check the valve ${n}.\n`);

/** Forty saves of each of the first `sops` SOPs. */
export async function savesOf(url: string, cookie: string, sops: number): Promise<autocannon.Request[]> {
  const found = (await (await fetch(`${url}/api/sops?limit=60`, { headers: { cookie } })).json()) as {
    data: { id: string }[];
  };
  return found.data.slice(0, sops).flatMap(({ id }, n) =>
    texts.slice(n, n + 40).map((markdown) => ({
      method: "PUT" as const,
      path: `/api/sops/${id}`,
      headers: { cookie, "content-type": "application/json", origin: url },
      body: JSON.stringify({ markdown }),
    })),
  );
}

export interface Rate {
  rate: number;
  /** Milliseconds. */
  p99: number;
  requests: number;
}

export async function measure(options: autocannon.Options): Promise<Rate> {
  const result = await autocannon({ duration: seconds, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, p99: result.latency.p99, requests: result.requests.total };
}
