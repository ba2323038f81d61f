/**
 * `sop import` of all Markdown files of the corpus, cold: a fresh server on the embedded engine in its own process, and
 * a CLI started for it. The peer is one process that only parses, stringifies and parses the same files again with
 * remark. Wall time from start to exit of the process on both sides, so it includes the process start; alternating,
 * medians.
 */
import type { Figure } from "./figure.ts";
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readConfig } from "../server/config.ts";
import { largeCorpus, smallCorpus } from "../test/corpus.ts";
import { openDatabase } from "../server/services.ts";

const project = resolve(import.meta.dirname, "..");
const corpus = largeCorpus ?? smallCorpus;
const rounds = process.env["SOP_BENCH_QUICK"] === "1" ? 1 : 3;
const built = ["dist/server/main.js", "dist/sop.js"].every((file) => existsSync(join(project, file)));
const programs = built
  ? { server: "dist/server/main.js", sop: "dist/sop.js" }
  : { server: "server/main.ts", sop: "cli/main.ts" };
const admin = { username: "bench", password: "a long word for the bench 42" };

interface Round {
  first: number;
  second: number;
  peer: number;
}

export async function run(): Promise<Figure[]> {
  process.stderr.write(`bench import: ${programs.sop}, ${rounds} rounds\n`);
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-import-"));
  try {
    const files = copyCorpus(join(folder, "corpus"));
    const taken: Round[] = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await oneRound(folder, round, files));
    return figures(files, taken);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figures(files: number, taken: readonly Round[]): Figure[] {
  const first = median(taken.map((round) => round.first));
  const second = median(taken.map((round) => round.second));
  const peer = median(taken.map((round) => round.peer));
  const perSecond = (ms: number) => rounded((files * 1000) / ms);
  return [
    {
      name: "import.first",
      value: perSecond(first),
      unit: "files/s",
      peer: perSecond(peer),
      ratio: rounded(peer / first),
      goal: "≥ 0.5 × parse, stringify, parse with remark",
    },
    {
      name: "import.second",
      value: rounded(second),
      unit: "ms",
      peer: rounded(first),
      ratio: rounded(second / first),
      goal: "≤ 0.1 × the first run",
    },
  ];
}

/** The documents of every source, without licenses and the corpus's own notes. @returns how many */
function copyCorpus(target: string): number {
  const names = readdirSync(corpus, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.includes("/") && name.endsWith(".md") && basename(name) !== "LICENSE.md",
  );
  for (const name of names) {
    mkdirSync(join(target, name, ".."), { recursive: true });
    cpSync(join(corpus, name), join(target, name));
  }
  return names.length;
}

async function oneRound(folder: string, round: number, files: number): Promise<Round> {
  const data = join(folder, `data-${round}`);
  await foundCompany(data);
  const server = await startServer(data);
  try {
    const env = {
      SOP_SERVER: server.url,
      SOP_TOKEN: await makeToken(server.url),
      SOP_KEYRING: "off",
      XDG_CONFIG_HOME: join(folder, "config"),
    };
    const importing = () => timedImport(join(folder, "corpus"), env);
    const first = await importing();
    const done = (first.totals["create"] ?? 0) + (first.totals["duplicate"] ?? 0);
    if (done < files - 3)
      throw new Error(`only ${done} of ${files} files were imported: ${first.stdout.slice(0, 2_000)}`);
    const second = await importing();
    if (second.totals["create"] || second.totals["update"]) throw new Error("the second run changed something");
    const peer = await timed(["bench/import.ts", "--peer", join(folder, "corpus")], {}, [0]);
    return { first: first.ms, second: second.ms, peer: peer.ms };
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Exit 3 and 2: a few fixtures of the corpus are broken on purpose and refused; on the second import, nothing else is
 * reported.
 */
async function timedImport(folder: string, env: Record<string, string>) {
  const ran = await timed([programs.sop, "import", folder, "--json"], env, [0, 2, 3]);
  const { data } = JSON.parse(ran.stdout) as { data: { totals: Record<string, number> } };
  return { ...ran, totals: data.totals };
}

async function timed(args: readonly string[], env: Record<string, string>, fine: readonly number[]) {
  const start = performance.now();
  const child = startNode(args, env);
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const code = await new Promise<number | null>((done) => child.once("exit", done));
  const ms = performance.now() - start;
  if (code === null || !fine.includes(code)) throw new Error(`${args.join(" ")} exited with ${code}: ${stdout}`);
  return { ms, stdout };
}

function startNode(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: tmpdir(), ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function startServer(data: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = startNode([programs.server], {
    PORT: "0",
    DATA_DIR: data,
    LOG_LEVEL: "error",
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const url = await new Promise<string>((found, reject) => {
    void ended.then(() => reject(new Error("the server ended before it listened")));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const address = /^listening on (http:\S+)/.exec(line)?.[1];
      if (address !== undefined) found(address);
    });
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The first start creates administrator and company; a bench company has room for 20,000 SOPs. */
async function foundCompany(data: string): Promise<void> {
  await (await startServer(data)).stop();
  const db = await openDatabase(readConfig({ DATA_DIR: data }));
  await db.prepare();
  await db.collection("companies").updateMany({}, { $set: { maxSOPs: 20_000 } });
  await db.close();
}

async function makeToken(url: string): Promise<string> {
  const post = (path: string, body: unknown, cookie = "") =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, cookie },
      body: JSON.stringify(body),
    });
  const signedIn = await post("/api/auth/login", admin);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const answer = await post("/api/tokens", { name: "bench", scopes: ["sops:read", "sops:write"] }, cookie);
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`no token: ${answer.status}`);
  return token;
}

/** The plain way with remark, and nothing else. */
async function peer(folder: string): Promise<void> {
  const [{ remark }, gfm, frontmatter] = await Promise.all([
    import("remark"),
    import("remark-gfm"),
    import("remark-frontmatter"),
  ]);
  const processor = remark().use(gfm.default).use(frontmatter.default, ["yaml", "toml"]).freeze();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".md")) continue;
    processor.parse(processor.stringify(processor.parse(readFileSync(join(folder, name), "utf8"))));
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "--peer") await peer(process.argv[3] ?? ".");
  else for (const figure of await run()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
