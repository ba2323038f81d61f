/**
 * `sop lint` next to markdownlint-cli2, both as installed, as whole processes over the same files; alternating,
 * medians. The figure is files per second of processor time with all threads: wall times say little on a busy machine.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { generatedSop, writeFiles, writeGeneratedSops } from "./lint-files.ts";

const project = resolve(import.meta.dirname, "..");
const quick = process.env["SOP_BENCH_QUICK"] === "1";
const rounds = quick ? 1 : 3;
const sop = resolve(project, process.env["SOP_BIN"] ?? "dist/sop.js");
const peer = join(project, "node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs");
const usage = join(import.meta.dirname, "process-usage.ts");

interface Ran {
  wallMs: number;
  cpuSeconds: number;
  rssMiB: number;
}

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  if (!existsSync(sop)) throw new Error("bench lint measures what is built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-lint-"));
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  try {
    if (wanted("speed")) yield* speed(folder);
    if (wanted("start")) yield* starts(folder);
    if (wanted("memory")) yield await memory(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* speed(folder: string): AsyncGenerator<Figure> {
  const files = join(folder, "files");
  const count = quick ? 500 : 1_000;
  const real = writeFiles(files, count);
  process.stderr.write(`bench lint: ${real} files of the corpus and ${count - real} made up, ${rounds} rounds\n`);
  const cold: Ran[] = [];
  const warm: Ran[] = [];
  const theirs: Ran[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    theirs.push(await timed([peer, "**/*.md"], files, [1]));
    cold.push(await timed([sop, "lint", "--no-cache", "--preset", "recommended"], files, [0, 1]));
    if (turn === 0) await timed([sop, "lint"], files, [0, 1]);
    warm.push(await timed([sop, "lint"], files, [0, 1]));
  }
  const perSecond = (runs: readonly Ran[]) => count / median(runs.map(({ cpuSeconds }) => cpuSeconds));
  const goal = "≥ 1.2 × markdownlint-cli2, aim 1.5";
  yield figureBesidePeer("lint.uncached", "files/CPU-s", perSecond(cold), perSecond(theirs), goal);
  const wall = (runs: readonly Ran[]) => count / (median(runs.map(({ wallMs }) => wallMs)) / 1000);
  yield figureBesidePeer("lint.uncached.wall", "files/s", wall(cold), wall(theirs));
  yield figureBesidePeer(
    "lint.warm",
    "files/s",
    wall(warm),
    wall(theirs),
    "unchanged files, ≥ 5 × markdownlint-cli2, start included",
  );
}

async function* starts(folder: string): AsyncGenerator<Figure> {
  const { node, help, one } = await startTimes(folder, sop);
  yield figureBesidePeer("lint.help", "ms", help, node, "sop --help ≤ 3 × node -e 0");
  yield figureBesidePeer("lint.one", "ms", one, node, "sop lint one.md ≤ 8 × node -e 0");
}

/** Milliseconds of `node -e 0`, `sop --help` and `sop lint one.md`. Starts are short and easily disturbed: many turns. */
export async function startTimes(folder: string, program: string) {
  const place = join(folder, "one");
  mkdirSync(place);
  writeFileSync(join(place, "one.md"), generatedSop(1));
  const turns = quick ? 5 : 15;
  const taken = { node: [] as number[], help: [] as number[], one: [] as number[] };
  for (let turn = 0; turn < turns; turn += 1) {
    taken.node.push((await timed(["-e", "0"], place, [0], false)).wallMs);
    taken.help.push((await timed([program, "--help"], place, [0], false)).wallMs);
    taken.one.push((await timed([program, "lint", "--no-cache", "one.md"], place, [0, 1], false)).wallMs);
  }
  return { node: median(taken.node), help: median(taken.help), one: median(taken.one) };
}

async function memory(folder: string): Promise<Figure> {
  const files = join(folder, "many");
  const count = quick ? 2_000 : 10_000;
  writeGeneratedSops(files, count);
  const { rssMiB } = await timed([sop, "lint"], files, [0, 1]);
  return { name: "lint.rss", value: round(rssMiB), unit: `MiB at ${count} files`, goal: "≤ 350" };
}

async function timed(args: readonly string[], cwd: string, fine: readonly number[], counts = true): Promise<Ran> {
  const out = join(tmpdir(), `sop-usage-${process.pid}.json`);
  const start = performance.now();
  const child = spawn(process.execPath, [...(counts ? ["--import", usage] : []), ...args], {
    cwd,
    // The bench must not use the config or cache of its user.
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, XDG_CACHE_HOME: join(cwd, "../cache"), PROCESS_USAGE: out },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const code = await new Promise<number | null>((done, reject) => child.once("error", reject).once("close", done));
  const wallMs = performance.now() - start;
  if (code === null || !fine.includes(code)) throw new Error(`${args.join(" ")} ended with ${code}`);
  if (!counts) return { wallMs, cpuSeconds: 0, rssMiB: 0 };
  const used = JSON.parse(readFileSync(out, "utf8")) as Omit<Ran, "wallMs">;
  rmSync(out);
  return { wallMs, ...used };
}
