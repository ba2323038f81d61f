/**
 * A company's repository from outside: clones over HTTP beside `git clone` of the same folder, the waits of other
 * requests during 50 clones at once, and proving a clone beside `git fsck`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { ensureAdmin } from "../server/sign-in/setup.ts";
import { figureBesidePeer, median, type Figure } from "./figure.ts";
import { seedSops } from "./seed-sops.ts";
import { root, signIn, startServer, type ServerProcess } from "./server-process.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const versions = quick ? 400 : 2_000;
const rounds = quick ? 3 : 7;
const clonesAtOnce = 50;
const account = { username: "bench-admin", password: "a long bench password" };
const start = promisify(execFile);

interface Served {
  server: ServerProcess;
  cookie: string;
  /** With the token. */
  address: string;
  gitdir: string;
}

export async function* run(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const served = await serve(path.join(dir, "data"));
    try {
      yield await clones(served, dir);
      yield* await clonesAndRequests(served, dir);
    } finally {
      await served.server.stop();
    }
    yield* await proofs(served.gitdir, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function serve(data: string): Promise<Served> {
  const env = { DATA_DIR: data, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  await ensureAdmin(services);
  await seedSops(services, account.username, versions);
  const user = await services.db.collection("users").findOne({ username: account.username });
  const company = await services.companies.get(user?.companyId ?? "");
  const gitdir = services.repositories.path(company?._id ?? "");
  await services.repositories.rebuild(company?._id ?? "");
  await services.close();
  const server = await startServer(process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js", env);
  const cookie = await signIn(server.url, account.username, account.password);
  const made = await fetch(`${server.url}/api/tokens`, {
    method: "POST",
    headers: { cookie, origin: server.url, "content-type": "application/json" },
    body: JSON.stringify({ name: "bench", scopes: ["repo:read"] }),
  });
  if (!made.ok) throw new Error(`token: ${made.status} ${await made.text()}`);
  const { token } = (await made.json()) as { token: string };
  const { host } = new URL(server.url);
  return { server, cookie, address: `http://x:${token}@${host}/git/${company?.slug}.git`, gitdir };
}

async function clone(from: string, to: string): Promise<number> {
  const began = performance.now();
  await start("git", ["-c", "gc.auto=0", "clone", "-q", "--bare", from, to]);
  const taken = performance.now() - began;
  await rm(to, { recursive: true });
  return taken;
}

async function clones({ address, gitdir }: Served, dir: string): Promise<Figure> {
  const taken = { http: [] as number[], file: [] as number[] };
  const to = path.join(dir, "clone.git");
  await clone(address, to);
  for (let turn = 0; turn < rounds; turn += 1) {
    taken.file.push(await clone(`file://${gitdir}`, to));
    taken.http.push(await clone(address, to));
  }
  const name = `repository: clone of ${versions} versions, beside git clone of the folder`;
  return figureBesidePeer(name, "ms", median(taken.http), median(taken.file), "<= 1.5");
}

/** The peer of a server that serves 50 clones is the same server alone, while 50 clones of the folder run beside it. */
async function clonesAndRequests(served: Served, dir: string): Promise<Figure[]> {
  const { server, cookie, address, gitdir } = served;
  const all = (from: string) => () =>
    Promise.all(Array.from({ length: clonesAtOnce }, (_, i) => clone(from, path.join(dir, `many-${i}.git`))));
  const ask = async () => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api/sops?limit=20`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`list: ${answer.status}`);
    return performance.now() - began;
  };
  const alone = await during(() => new Promise((resolve) => setTimeout(resolve, 5_000)), ask);
  const beside = await during(all(`file://${gitdir}`), ask);
  const serving = await during(all(address), ask);
  const name = `repository: p99 of a list during ${clonesAtOnce} clones at once`;
  return [
    figureBesidePeer(`${name}, beside alone`, "ms", serving, alone, "<= 2"),
    figureBesidePeer(`${name}, beside the same clones of the folder`, "ms", serving, beside),
    { name: "repository: largest memory of the server then", value: await peakMiB(server), unit: "MiB" },
  ];
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

async function peakMiB({ child }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

async function proofs(gitdir: string, dir: string): Promise<Figure[]> {
  const copy = path.join(dir, "proved.git");
  await start("git", ["clone", "-q", "--mirror", `file://${gitdir}`, copy]);
  const commands: Record<"sop" | "python" | "fsck", [string, string[]]> = {
    sop: [process.execPath, [path.join(root, "dist/sop.js"), "verify", copy]],
    python: ["python3", [path.join(root, "verify.py"), copy]],
    fsck: ["git", ["-C", copy, "fsck", "--full", "--strict", "--no-dangling", "--no-progress"]],
  };
  const rates: Record<keyof typeof commands, number[]> = { sop: [], python: [], fsck: [] };
  for (let turn = 0; turn < 3; turn += 1) {
    for (const name of ["fsck", "sop", "python"] as const) {
      const [program, args] = commands[name];
      const began = performance.now();
      await start(program, args);
      rates[name].push((versions * 1000) / (performance.now() - began));
    }
  }
  const figure = (name: "sop" | "python", title: string) =>
    figureBesidePeer(
      `repository: ${title}, beside git fsck`,
      "versions/s",
      median(rates[name]),
      median(rates.fsck),
      ">= 2000 versions/s",
    );
  return [figure("sop", "sop verify"), figure("python", "verify.py")];
}
