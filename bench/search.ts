/** Search in one company next to MiniSearch on the same texts, and together with lists under load. */
import { execFileSync } from "node:child_process";
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
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { listQuality } from "./search-lists.ts";
import { searchLoad } from "./search-load.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const sizes = quick ? [2_000] : [2_000, 10_000];
/** SOPs of the company for searches under load; SOP_BENCH_SIZES names others, separated by commas. */
const loadSizes = (process.env["SOP_BENCH_SIZES"] ?? (quick ? "2000" : "10000,50000")).split(",").map(Number);

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  if (wanted("engine")) for (const size of sizes) yield* besideMiniSearch(size);
  if (wanted("quality")) {
    yield* listQuality();
    yield* quality();
  }
  if (wanted("load")) for (const size of loadSizes) yield* searchLoad(size);
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
  yield figureBesidePeer(
    `${about}: build, CPU`,
    "ms",
    of(ours, "buildMs"),
    of(mini, "buildMs"),
    small ? "≤ 0.3" : "≤ 1",
  );
  yield figureBesidePeer(`${about}: memory`, "MB", of(ours, "memoryMb"), of(mini, "memoryMb"), "≤ 0.5");
  yield figureBesidePeer(`${about}: p50`, "ms", of(ours, "p50"), of(mini, "p50"));
  yield figureBesidePeer(`${about}: p99`, "ms", of(ours, "p99"), of(mini, "p99"), small ? "≤ 1, and ≤ 10 ms" : "≤ 1");
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
      let [total, missed] = [0, 0];
      for (const { texts, queries } of collections()) {
        const answered = await success(await engineOf(texts), made(queries), within);
        total += made(queries).length;
        missed += answered.missed.length;
      }
      shares.push(1 - missed / total);
    }
    const [ours = 0, mini = 0, plain = 0] = shares;
    yield figureBesidePeer(`search, ${kind}, beside MiniSearch`, "share", ours, mini, goal);
    yield figureBesidePeer(`search, ${kind}, beside FTS5 porter`, "share", ours, plain, goal);
  }
}

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
