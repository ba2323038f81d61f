/**
 * `sop lint` next to markdownlint-cli2, both as installed, as whole processes over the same files; alternating,
 * medians. The figure is files per second of processor time with all threads: wall times say little on a busy machine.
 * `lint:corpus` takes real documents alone, together and by source.
 */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { corpusFiles, largeCorpus } from "../test/corpus.ts";
import { cpuSeconds } from "./cpu-seconds.ts";
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
    if (wanted("corpus")) yield* corpus(folder);
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
  const goal = "≥ 3 × markdownlint-cli2";
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
  const seconds = round(median(warm.map(({ wallMs }) => wallMs)) / 1000);
  yield { name: "lint.cached", value: seconds, unit: `s for ${count} files, start included`, goal: "≤ 1" };
  const processor = round(median(warm.map((one) => one.cpuSeconds)));
  yield { name: "lint.cached.cpu", value: processor, unit: `CPU-s for ${count} files, start included` };
}

/** Nothing cached: all real documents, and those of each source alone. */
async function* corpus(folder: string): AsyncGenerator<Figure> {
  const all = copyCorpus(join(folder, "corpus"));
  const sources = [...new Set(all.map((name) => name.slice(0, name.indexOf("/"))))];
  const areas = [
    { name: "corpus", place: "", goal: "≥ 3" },
    ...sources.map((name) => ({ name, place: name, goal: "≥ 2" })),
  ];
  for (const { name, place, goal } of areas) {
    const files = all.filter((file) => file.startsWith(place)).length;
    const cwd = join(folder, "corpus", place);
    const lint = [process.execPath, sop, "lint", "--no-cache", "--preset", "recommended"];
    const [ours, theirs] = await cpuSeconds([lint, [process.execPath, peer, "**/*.md"]], cwd, rounds + 2);
    const unit = `files/CPU-s, ${files} files`;
    yield figureBesidePeer(`lint.${name}`, unit, files / ours, files / theirs, `${goal} × markdownlint-cli2`);
  }
}

/** The documents of the large corpus where it is there, else of the small one. @returns their names */
export function copyCorpus(folder: string): string[] {
  const files = corpusFiles(".md").filter(({ path }) => largeCorpus === null || path.startsWith(largeCorpus));
  for (const { name, path } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(path, join(folder, name));
  }
  return files.map(({ name }) => name);
}

async function* starts(folder: string): AsyncGenerator<Figure> {
  yield* startFigures("lint", folder, sop, ["≤ 3", "≤ 8"]);
}

/** `sop --help` and `sop lint one.md` beside `node -e 0`. Starts are short and easily disturbed: many turns. */
export async function* startFigures(
  name: string,
  folder: string,
  program: string,
  goals: readonly [help: string, one: string],
): AsyncGenerator<Figure> {
  const place = join(folder, "one");
  mkdirSync(place);
  writeFileSync(join(place, "one.md"), generatedSop(1));
  const node = [process.execPath, "-e", "0"];
  const help = [process.execPath, program, "--help"];
  const one = [process.execPath, program, "lint", "--no-cache", "one.md"];
  const taken = { node: [] as number[], help: [] as number[], one: [] as number[] };
  for (let turn = 0; turn < (quick ? 5 : 15); turn += 1) {
    taken.node.push((await timed(node.slice(1), place, [0], false)).wallMs);
    taken.help.push((await timed(help.slice(1), place, [0], false)).wallMs);
    taken.one.push((await timed(one.slice(1), place, [0, 1], false)).wallMs);
  }
  const wall = median(taken.node);
  yield figureBesidePeer(`${name}.help`, "ms", median(taken.help), wall, `sop --help ${goals[0]} × node -e 0`);
  yield figureBesidePeer(`${name}.one`, "ms", median(taken.one), wall, `sop lint one.md ${goals[1]} × node -e 0`);
  const [nodeCpu, helpCpu, oneCpu] = await cpuSeconds([node, help, one], place, quick ? 1 : 5, 10);
  yield figureBesidePeer(`${name}.help.cpu`, "CPU-ms", helpCpu * 1000, nodeCpu * 1000, `${goals[0]} × node -e 0`);
  yield figureBesidePeer(`${name}.one.cpu`, "CPU-ms", oneCpu * 1000, nodeCpu * 1000, `${goals[1]} × node -e 0`);
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
