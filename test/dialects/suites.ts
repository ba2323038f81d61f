/**
 * Files with the markup of other tools, one for each family, and the result of their import, for the test and `bench
 * text:dialects`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertDialectsInText } from "#core/dialects/convert.ts";
import type { Construct } from "#core/dialects/construct.ts";
import { readMarkdownDocument, type MarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";

export const folder = import.meta.dirname;
export const suites = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -3));

export interface Measured {
  text: string;
  constructs: Construct[];
  document: MarkdownDocument;
  /** Words of the file that the document lacks. `unnamed` has those that no line of the report names. */
  lost: string[];
  unnamed: string[];
  /** Words of the document that the file lacks. */
  added: string[];
}

export function readSuite(name: string): string {
  return readFileSync(join(folder, `${name}.md`), "utf8");
}

/** The expected result of each construct, by line, such as "12 mapped !!! warning". */
export function expectedOf(name: string): string[] {
  return readFileSync(join(folder, `${name}.expected.txt`), "utf8")
    .trimEnd()
    .split("\n");
}

export function measure(name: string): Measured {
  const text = readSuite(name);
  const { body, bodyLine } = splitFrontMatter(text);
  const document = readMarkdownDocument({ path: `${name}.md`, text });
  const after = `${document.frontMatter.title ?? ""}\n${document.body}`;
  const lost = without(wordsOf(body), wordsOf(after));
  const { constructs } = convertDialectsInText(body, bodyLine);
  const said = document.report.flatMap(({ message }) => wordsOf(message));
  // a mapped tag has two ends, of which the report names the first
  const ends = constructs.filter(({ outcome }) => outcome === "mapped").flatMap(endsOf);
  return {
    text,
    constructs,
    document,
    lost,
    unnamed: without(lost, [...said, ...ends]).filter((word) => !options.has(word)),
    added: without(wordsOf(after), [...wordsOf(body), ...wordsOf(document.frontMatter.title ?? "")]),
  };
}

/** Names of options and tags whose value or content the result has. */
const options = new Set(
  "alt caption class color default dropdown figcaption header img label p src style title type value width".split(" "),
);

export const nameOfConstruct = ({ name }: Construct): string => (typeof name === "string" ? name : name.text);

function endsOf(construct: Construct): string[] {
  const [word = ""] = wordsOf(nameOfConstruct(construct));
  return [word, `end${word}`];
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of `all` that `some` lacks, each as often as it is missing. */
export function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of some) left.set(word, (left.get(word) ?? 0) + 1);
  return all.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

/** The content of the blocks of code in a file, at any indent. */
export function codeBlocksOf(text: string): string[] {
  const blocks: string[] = [];
  for (const [, indent = "", , info = "", content = ""] of text.matchAll(
    /^([ \t]*)(`{3,}|~{3,})([^`\n]*)\n([^]*?)^\1\2[ \t]*$/gm,
  )) {
    // a directive's content is Markdown
    if (!info.startsWith("{")) blocks.push(content.replaceAll(new RegExp(`^${indent}`, "gm"), "").trimEnd());
  }
  return blocks;
}
