/** `sop fmt --check` beside rumdl, and an import into a folder beside the program of before, on the corpus. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { cpuSeconds } from "./cpu-seconds.ts";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { copyCorpus } from "./lint.ts";

const project = resolve(import.meta.dirname, "..");
const sop = resolve(project, process.env["SOP_BIN"] ?? "dist/sop.js");
const turns = process.env["SOP_BENCH_QUICK"] === "1" ? 1 : 5;

/** The last commit that parsed with micromark alone (decision 0051). */
const before = "2d1c1595~1";

export async function* formatting(): AsyncGenerator<Figure> {
  yield* inFolder(async function* (folder) {
    const files = copyCorpus(folder).length;
    const ours = [process.execPath, sop, "fmt", "--check"];
    const unit = `CPU-s, ${files} files`;
    const rumdl = (process.env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, "rumdl"));
    const peer = rumdl.find((file) => existsSync(file));
    if (peer === undefined) {
      const [value] = await cpuSeconds([ours], folder, turns);
      yield { name: "fmt.check", value: round(value), unit, goal: "rumdl is not installed: pip install rumdl" };
      return;
    }
    const [value, fmt, check] = await cpuSeconds(
      [ours, [peer, "fmt", "--check", "--no-cache", "."], [peer, "check", "--no-cache", "."]],
      folder,
      turns,
    );
    yield figureBesidePeer("fmt.check", unit, value, fmt, "≤ 4 × rumdl fmt --check");
    yield figureBesidePeer("fmt.check.lint", unit, value, check, "rumdl check, which writes nothing: shown");
  });
}

export async function* filesToFiles(): AsyncGenerator<Figure> {
  yield* inFolder(async function* (folder) {
    const files = copyCorpus(join(folder, "corpus")).length;
    const old = builtBefore(join(folder, "before"));
    const script = 'rm -rf "$3"; exec "$1" "$2" import corpus --to-dir "$3"';
    const importing = (program: string, to: string) => ["sh", "-c", script, "sh", process.execPath, program, to];
    const unit = `files/CPU-s, ${files} files`;
    if (old === undefined) {
      const [value] = await cpuSeconds([importing(sop, "now")], folder, turns);
      yield { name: "import.files", value: round(files / value), unit, goal: `${before} is not in this clone` };
      return;
    }
    const [now, then] = await cpuSeconds([importing(sop, "now"), importing(old, "then")], folder, turns);
    yield figureBesidePeer("import.files", unit, files / now, files / then, `≥ 2 × ${before}`);
  });
}

/** @returns the `sop` of that commit, with today's dependencies; undefined in a shallow clone */
function builtBefore(folder: string): string | undefined {
  mkdirSync(folder);
  try {
    const sources = execFileSync("git", ["archive", before], { cwd: project, maxBuffer: 1 << 30, stdio: "pipe" });
    execFileSync("tar", ["x"], { cwd: folder, input: sources });
  } catch {
    return undefined;
  }
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  execFileSync(join(project, "node_modules/.bin/tsup"), { cwd: folder, stdio: "ignore" });
  return join(folder, "dist/sop.js");
}

async function* inFolder(use: (folder: string) => AsyncGenerator<Figure>): AsyncGenerator<Figure> {
  if (!existsSync(sop)) throw new Error("bench text measures what is built: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-text-"));
  try {
    yield* use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
