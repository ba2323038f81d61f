/**
 * `npm run bench -- tree`: the size of the source and how plain its language is. The peer is the tree of 2026-11-22,
 * before it was reduced.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { round, type Figure } from "./figure.ts";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** The same counts on 2026-11-22. */
const before = { lines: 95_558, files: 1_350, refs: 90, cycles: 115, changelog: 23.4 };

export function run(): Promise<Figure[]> {
  const tracked = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const shipped = tracked.filter(
    (file) => existsSync(path.join(root, file)) && !/\.test\.tsx?$|^(?:test|bench)\//.test(file),
  );
  const sources = shipped.map(read);
  const lines = sources.reduce((sum, source) => sum + source.split("\n").length - 1, 0);
  const refs = sources.reduce((sum, source) => sum + [...source.matchAll(/\buseRef[(<]/g)].length, 0);
  return Promise.resolve([
    counted("tree: source lines, without tests and benches", "lines", lines, before.lines, "≤ 0.92"),
    counted("tree: source files, without tests and benches", "files", shipped.length, before.files, "250 fewer"),
    counted("tree: useRef", "calls", refs, before.refs, "30 fewer"),
    counted("tree: imports in a cycle, types too", "imports", importsInCycles(), before.cycles, "= 0"),
    counted(
      "tree: words in a sentence of the changelog",
      "words",
      wordsInSentence(read("CHANGELOG.md")),
      before.changelog,
      "≤ 16",
    ),
  ]);
}

/** Found by the project's own lint. */
function importsInCycles(): number {
  const { stdout } = spawnSync("node_modules/.bin/oxlint", ["-f", "json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  return diagnostics.filter(({ code }) => code.includes("no-cycle")).length;
}

/** The average over the entries of a list. */
function wordsInSentence(page: string): number {
  const entries = page.split("\n").flatMap((line) => /^- (.*)/.exec(line)?.[1] ?? []);
  const sentences = entries.flatMap((entry) => entry.split(/(?<=[.!?])\s+(?=[A-Z])/));
  const words = sentences.reduce((sum, sentence) => sum + sentence.split(/\s+/).filter(Boolean).length, 0);
  return words / sentences.length;
}

/** A count is exact; only its ratio is rounded. */
function counted(name: string, unit: string, value: number, peer: number, goal: string): Figure {
  return { name, value: Number.isInteger(value) ? value : round(value), unit, peer, ratio: round(value / peer), goal };
}
