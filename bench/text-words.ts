/**
 * `bench text:words`: words and code of real documents before and after import and export, `fmt` and `lint --fix`. What the
 * report names is not lost.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Node, Parent } from "unist";
import { AppError } from "../core/errors.ts";
import { readHeader, readMarkdownDocument } from "../core/import/markdown/markdown-file.ts";
import { createReport } from "../core/import/markdown/report.ts";
import { fileTextOf, splitFrontMatter } from "../core/markdown/front-matter.ts";
import { parseMarkdown } from "../core/markdown/parse.ts";
import { codeBlocksOf, without, wordsOf } from "../test/dialects/suites.ts";
import type { Figure } from "./figure.ts";
import { copyCorpus } from "./lint.ts";

const sop = resolve(import.meta.dirname, "..", process.env["SOP_BIN"] ?? "dist/sop.js");

export function* words(): Generator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "sop-bench-words-"));
  try {
    const names = copyCorpus(folder);
    const read = () => names.map((name) => readFileSync(join(folder, name), "utf8").replace(/\r\n?/g, "\n"));
    const texts = read();
    const imported = texts
      .map((text, index) => importAndExport(names[index] ?? "", text))
      .filter((one) => one !== null);
    yield* figures("import and export", imported);
    for (const args of [["fmt"], ["lint", "--fix", "--preset", "recommended"]]) {
      runSop([...args, "."], folder);
      const after = read();
      yield* figures(
        args.slice(0, 2).join(" "),
        texts.map((text, index) => compare(splitFrontMatter(text).body, after[index] ?? "")),
      );
      copyCorpus(folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Compared {
  words: number;
  lost: string[];
  /** Blocks of code that changed. */
  code: number;
}

function* figures(what: string, documents: readonly Compared[]): Generator<Figure> {
  const same = documents.filter(({ lost, code }) => lost.length === 0 && code === 0).length;
  const total = documents.reduce((sum, { words: count }) => sum + count, 0);
  const lost = documents.flatMap(({ lost: some }) => some).length;
  yield { name: `words ${what}: documents`, value: same, unit: `of ${documents.length} documents`, goal: "all" };
  yield { name: `words ${what}: lost`, value: lost, unit: `of ${total} words`, goal: "0" };
}

/** @returns null for a file that the import refuses: it says why */
function importAndExport(path: string, text: string): Compared | null {
  try {
    const { frontMatter, body, report } = readMarkdownDocument({ path, text });
    const named = report.flatMap(({ message }) => splitWords(message));
    // a mapped tag has two ends, of which the report names the first
    const ends = named.map((word) => `end${word}`);
    const { body: before } = readHeader(text, createReport(path));
    // steps with letters get numbers, and so do those below them: the report counts them
    const letters = report.some(({ code }) => code === "lettered-steps") ? /^(?:[a-z]|[ivx]+|\d+)$/ : /^$/;
    const compared = compare(before, fileTextOf(frontMatter, body), [...named, ...ends]);
    return { ...compared, lost: compared.lost.filter((word) => !letters.test(word)) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function compare(before: string, file: string, named: readonly string[] = []): Compared {
  const words = readWords(before);
  const { raw, body } = splitFrontMatter(file);
  const after = [...readWords(body, true), ...splitWords(raw ?? "")];
  const plain = (text: string) => text.replace(/^[ \t>]+/gm, "");
  const code = codeBlocksOf(before).filter((block) => !plain(body).includes(plain(block))).length;
  return { words: words.length, lost: without(without(words, after), named), code };
}

/** @param withAddresses of links: markup of another tool that became a link had its address as text */
function readWords(markdown: string, withAddresses = false): string[] {
  const parts: string[] = [];
  const visit = (node: Node & { value?: string; alt?: string; title?: string; url?: string; meta?: string }) => {
    parts.push(node.value ?? "", node.alt ?? "", node.title ?? "", node.meta ?? "");
    if (withAddresses) parts.push(node.url ?? "");
    if ("children" in node) for (const child of (node as Parent).children) visit(child);
  };
  visit(parseMarkdown(markdown));
  return splitWords(parts.join("\n").replace(/&\w+;/g, " "));
}

/** Numbers and letters apart: a fix sets a space between a number and its unit. */
function splitWords(text: string): string[] {
  return wordsOf(text.replace(/(\p{N})(?=\p{L})/gu, "$1 "));
}

function runSop(args: readonly string[], cwd: string): void {
  try {
    execFileSync(process.execPath, [sop, ...args], { cwd, stdio: "ignore" });
  } catch (error) {
    // issues, and files that are left alone
    if (![1, 3].includes((error as { status?: number }).status ?? 0)) throw error;
  }
}
