/**
 * Requests to this build beside an older one, in alternating rounds. SOP_BENCH_BEFORE names the older checkout, with its
 * packages and build.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { cpuOf } from "./cpu-seconds.ts";
import { figureBesidePeer, median, type Figure } from "./figure.ts";
import { memoryMiB, settle, signIn, startServer, type ServerProcess } from "./server-process.ts";

const account = { ADMIN_USERNAME: "bench-manager", ADMIN_PASSWORD: "a long bench password" };
const rounds = 8;
/** A company without an edition has at most 100 SOPs. */
const sops = 90;
const kinds = { save: 20, list: 300, view: 300, search: 60 };
type Kind = keyof typeof kinds;
interface Round {
  cpu: number;
  time: number;
}

const actions = ["Open", "Close", "Check", "Clean", "Record", "Replace", "Grease", "Label"];
const things = ["valve", "pump", "filter", "tank", "drawer", "motor", "belt", "lid", "hose", "gauge"];

function text(sop: number, save = 0): string {
  const steps = Array.from({ length: 40 }, (_, n) => {
    const [action, thing] = [actions[(sop + n) % actions.length], things[(sop * 3 + n) % things.length]];
    return `${n + 1}. ${action} the ${thing} ${(sop * 7 + n) % 50} and write down ${n + save} bar.`;
  });
  return `## Purpose\n\nKeep line ${sop} safe.\n\n## Procedure\n\n> [!WARNING]\n> Lock the line first.\n\n${steps.join("\n")}\n`;
}

class Build {
  readonly rounds: Record<Kind, Round[]> = { save: [], list: [], view: [], search: [] };
  readonly #server: ServerProcess;
  readonly #cookie: string;
  readonly #ids: string[] = [];
  #count = 0;

  private constructor(server: ServerProcess, cookie: string) {
    this.#server = server;
    this.#cookie = cookie;
  }

  static async start(checkout: string, data: string): Promise<Build> {
    const server = await startServer(path.resolve(checkout, "dist/server/main.js"), { ...account, DATA_DIR: data });
    const cookie = await signIn(server.url, account.ADMIN_USERNAME, account.ADMIN_PASSWORD);
    const build = new Build(server, cookie);
    for (let n = 0; n < sops; n++) {
      const body = { title: `Service of line ${n}`, description: `How to service line ${n}`, markdown: text(n) };
      const made = (await (await build.#send("POST", "/api/sops", body)).json()) as { id: string };
      build.#ids.push(made.id);
    }
    await settle(server.url, cookie);
    return build;
  }

  async #send(method: string, route: string, body?: object): Promise<Response> {
    const headers = { cookie: this.#cookie, origin: this.#server.url, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${this.#server.url}${route}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** Sends one round and keeps its medians in milliseconds; commits made later belong to a save. */
  async run(kind: Kind): Promise<void> {
    const { pid } = this.#server.child;
    const before = await cpuOf(pid);
    const times: number[] = [];
    for (let n = 0; n < kinds[kind]; n++) {
      const start = performance.now();
      await (await this.#request(kind, this.#count++)).arrayBuffer();
      times.push(performance.now() - start);
    }
    if (kind === "save") await settle(this.#server.url, this.#cookie);
    const cpu = (((await cpuOf(pid)) - before) * 1_000) / kinds[kind];
    this.rounds[kind].push({ cpu, time: median(times) });
  }

  #request(kind: Kind, n: number): Promise<Response> {
    const sop = n % sops;
    if (kind === "save") return this.#send("PUT", `/api/sops/${this.#ids[sop]}`, { markdown: text(sop, n + 1) });
    if (kind === "list") return this.#send("GET", "/api/sops?limit=20");
    if (kind === "view") return this.#send("GET", `/api/sops/${this.#ids[sop]}`);
    const words = `${actions[n % actions.length]} ${things[(n * 3) % things.length]}`;
    return this.#send("GET", `/api/search?q=${encodeURIComponent(words)}`);
  }

  /** Starts the checkout with the data of an earlier start. @returns milliseconds, and MiB after it */
  static async startAgain(checkout: string, data: string): Promise<{ ms: number; memory: number }> {
    const begun = performance.now();
    const server = await startServer(path.resolve(checkout, "dist/server/main.js"), { ...account, DATA_DIR: data });
    const ms = performance.now() - begun;
    const memory = memoryMiB(server.child.pid, "VmRSS") ?? Number.NaN;
    await server.stop();
    return { ms, memory };
  }

  memory = (): number => memoryMiB(this.#server.child.pid, "VmRSS") ?? Number.NaN;
  stop = (): Promise<void> => this.#server.stop();
  kill = (): boolean => this.#server.child.kill("SIGKILL");
}

const goals: Record<Kind, string> = { save: "≤ 0.8", list: "≤ 1.05", view: "≤ 1.05", search: "≤ 1.05" };

export async function run(): Promise<Figure[]> {
  const older = process.env["SOP_BENCH_BEFORE"];
  if (older === undefined) throw new Error("SOP_BENCH_BEFORE must name a checkout of an older commit, with its build");
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  const builds: Build[] = [];
  try {
    const checkouts = [
      ["", "now"],
      [older, "before"],
    ] as const;
    for (const [checkout, name] of checkouts) builds.push(await Build.start(checkout, path.join(dir, name)));
    const names = Object.keys(kinds) as Kind[];
    // the first round of each kind warms both up
    for (const kind of names) for (const build of builds) await build.run(kind);
    for (const build of builds) for (const kind of names) build.rounds[kind].length = 0;
    for (let n = 0; n < rounds; n++) {
      // by turns, the one or the other goes first
      const order = n % 2 === 0 ? builds : builds.toReversed();
      for (const kind of names) for (const build of order) await build.run(kind);
    }
    const [now, before] = builds as [Build, Build];
    const beside = (kind: Kind, field: keyof Round) =>
      [now, before].map((build) => median(build.rounds[kind].map((one) => one[field]))) as [number, number];
    const memory = [now.memory(), before.memory()] as const;
    await Promise.all(builds.map((build) => build.stop()));
    const starts: [{ ms: number; memory: number }[], { ms: number; memory: number }[]] = [[], []];
    for (let n = 0; n < rounds; n++)
      for (const [at, [checkout, name]] of checkouts.entries())
        starts[at]?.push(await Build.startAgain(checkout, path.join(dir, name)));
    const ofStarts = (field: "ms" | "memory") =>
      starts.map((some) => median(some.map((one) => one[field]))) as [number, number];
    return [
      figureBesidePeer("before: start, time", "ms", ...ofStarts("ms"), "≤ 1.05"),
      figureBesidePeer("before: memory after the start", "MiB", ...ofStarts("memory"), "≤ 1.05"),
      ...names.flatMap((kind) => [
        figureBesidePeer(`before: ${kind}, processor time`, "ms", ...beside(kind, "cpu"), goals[kind]),
        figureBesidePeer(`before: ${kind}, time`, "ms", ...beside(kind, "time"), goals[kind]),
      ]),
      figureBesidePeer("before: memory after the run", "MiB", ...memory, "≤ 1.05"),
    ];
  } finally {
    // a failed run leaves them running
    for (const build of builds) build.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
