/**
 * `npm run bench -- tree`: the size of the source, its seams, and how plain its language is. The peer is the tree of the
 * review of 2026-11-28.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { folderCycles, folderImports } from "../test/folder-graph.ts";
import { platformFolders } from "../test/platform-folders.ts";
import { round, type Figure } from "./figure.ts";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** The same counts in the review, and at the beginning of issue 35 where it has none. */
const before = { code: 118_594, docs: 77_470, core: 37, server: 7, any: 2, changelog: 23.4 };

export function run(): Promise<Figure[]> {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => existsSync(path.join(root, file)));
  const shipped = tracked.filter(
    (file) => /\.(?:tsx?|css|py)$/.test(file) && !/\.test\.tsx?$|^(?:test|bench)\/|\/testing\//.test(file),
  );
  const code = shipped.reduce((sum, file) => sum + linesOfCode(read(file), file.endsWith(".py")), 0);
  const pages = tracked.filter((file) => file.startsWith("docs/") && file.endsWith(".md"));
  const docs = pages.reduce((sum, file) => sum + wordsOf(read(file)), 0);
  const inCycles = (layer: string, folders?: readonly string[]) =>
    folderCycles(
      folderImports(
        root,
        shipped.filter((file) => file.startsWith(`${layer}/`)),
      ).filter(({ from, to }) => !folders || (folders.includes(from) && folders.includes(to))),
    ).flat().length;
  const typed = [...read("server/database/port.ts").matchAll(/\bany[>;,)\]]/g)].length;
  return Promise.resolve([
    counted("tree: production code", "lines", code, before.code, "<= 112000"),
    counted("tree: docs", "words", docs, before.docs, "<= 45000"),
    counted("tree: folders of core in a cycle", "folders", inCycles("core"), before.core, "= 0"),
    counted(
      "tree: platform folders of the server in a cycle",
      "folders",
      inCycles("server", platformFolders),
      before.server,
      "= 0",
    ),
    counted("tree: `any` in the database port", "types", typed, before.any, "= 0"),
    counted(
      "tree: words in a sentence of the changelog",
      "words",
      wordsInSentence(read("CHANGELOG.md")),
      before.changelog,
      "<= 16",
    ),
  ]);
}

/** Lines that are neither blank nor comment. */
function linesOfCode(source: string, isPython: boolean): number {
  let isInComment = false;
  return source.split("\n").filter((line) => {
    const text = line.trim();
    if (isInComment) {
      isInComment = !text.includes("*/");
      return false;
    }
    if (text.startsWith("/*")) {
      isInComment = !text.includes("*/");
      return false;
    }
    return text !== "" && !text.startsWith("//") && !(isPython && text.startsWith("#"));
  }).length;
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** The average over the entries of a list. */
function wordsInSentence(page: string): number {
  const entries = page.split("\n").flatMap((line) => /^- (.*)/.exec(line)?.[1] ?? []);
  const sentences = entries.flatMap((entry) => entry.split(/(?<=[.!?])\s+(?=[A-Z])/));
  return sentences.reduce((sum, sentence) => sum + wordsOf(sentence), 0) / sentences.length;
}

/** A count is exact; only its ratio is rounded. */
function counted(name: string, unit: string, value: number, peer: number, goal: string): Figure {
  return { name, value: Number.isInteger(value) ? value : round(value), unit, peer, ratio: round(value / peer), goal };
}
