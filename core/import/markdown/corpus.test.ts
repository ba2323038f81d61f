import { beforeAll, describe, expect, it } from "vitest";
import { convertDialects } from "#core/dialects/convert.ts";
import { toLines, linesAsText } from "#core/text/lines.ts";
import { AppError } from "#core/errors.ts";
import { formatMarkdown, normaliseText, sameTree } from "#core/markdown/format.ts";
import { fileTextOf, parseFrontMatter, splitFrontMatter } from "#core/markdown/front-matter.ts";
import { splitListsAtNumberJumps } from "#core/markdown/list-numbers.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { corpusFiles, largeCorpus, textOf } from "../../../test/corpus.ts";
import { findHeaderBlock } from "./header-block.ts";
import { convertLetteredSteps } from "./lettered-steps.ts";
import { breakBeforeLabels } from "./line-labels.ts";
import { readMarkdownDocument, type MarkdownDocument } from "./markdown-file.ts";
import { createReport } from "./report.ts";

interface Converted {
  path: string;
  body: string;
  document: MarkdownDocument;
}

const converted: Converted[] = [];
const refused: { path: string; message: string }[] = [];

function sourceBody(text: string): string {
  const split = splitFrontMatter(text);
  return split.raw === null ? (findHeaderBlock(text)?.body ?? split.body) : split.body;
}

function readCorpus(): void {
  for (const file of corpusFiles(".md")) {
    const { name: path } = file;
    const text = textOf(file);
    try {
      converted.push({ path, body: sourceBody(text), document: readMarkdownDocument({ path, text }) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ path, message: error.message });
    }
  }
}

function reported({ document }: Converted, code: string): string[] {
  return document.report.filter((line) => line.code === code).map((line) => line.message);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The tree of the imported text, after exactly the changes that the report names. */
function expectedTree(file: Converted): ReturnType<typeof parseMarkdown> {
  let lines = toLines(file.body, 1);
  lines = convertDialects(lines).lines;
  if (reported(file, "lettered-steps").length > 0) lines = convertLetteredSteps(lines, createReport(file.path));
  const text = normaliseText(linesAsText(lines));
  const tree = parseMarkdown(text);
  if (reported(file, "list-numbers").length > 0) splitListsAtNumberJumps(tree, text);
  if (reported(file, "labels").length > 0) breakBeforeLabels(tree, createReport(file.path), (line) => line);
  if (reported(file, "first-heading").length > 0) {
    tree.children.splice(
      tree.children.findIndex((node) => node.type === "heading" && node.depth === 1),
      1,
    );
  }
  if (reported(file, "headings").length > 0) {
    eachNode(tree, (node) => {
      if (node.type === "heading" && node.depth < 6) node.depth += 1;
    });
  }
  return tree;
}

const admonition = /^[ \t]*(?:!!!|\?\?\?\+?)[ \t]*\w/gm;
const lettered = /^[ \t]*(?:[a-z]|[ivx]{2,5})\.[ \t]+\S/gm;

// Ten thousand parses need more than the usual limit on a busy machine.
describe("the corpus", { timeout: 300_000 }, () => {
  beforeAll(readCorpus, 300_000);

  it("is read whole but for the fixtures that are broken on purpose", () => {
    console.log(`corpus: ${converted.length} of ${converted.length + refused.length} files read`);
    expect(converted.length).toBeGreaterThan(largeCorpus === null ? 10 : 407);
    expect(refused.map(({ path }) => path.split("/").at(-1))).toEqual([
      "broken-front-matter.md",
      ...(largeCorpus === null ? [] : ["invalid-control.md", "invalid-access.md", "invalid-workstation.md"]),
    ]);
    for (const { path, message } of refused) expect(message, path).toMatch(/\(line \d+\)/);
  });

  it("keeps every syntax tree, after the mappings the report names", () => {
    const changed = converted.filter((file) => !sameTree(parseMarkdown(file.document.body), expectedTree(file)));
    expect(changed.map(({ path }) => path)).toEqual([]);
  });

  it("is in canonical form: the formatter's second pass changes no byte", () => {
    const sources = converted.map(({ body }) => formatMarkdown(body));
    const unstable = sources.filter((text) => formatMarkdown(text) !== text);
    console.log(`corpus: ${sources.length} bodies stable on the second pass`);
    expect(unstable).toEqual([]);
  });

  it("keeps the bytes of all kept constructs, or names those that became code", () => {
    let kept = 0;
    for (const { path, body, document } of converted) {
      const { constructs } = convertDialects(toLines(body, 1));
      const after = [document.frontMatter.title, document.frontMatter["x-title"], document.body].join("\n");
      for (const { outcome, source, dialect } of constructs) {
        if (outcome === "mapped") continue;
        kept += 1;
        const plain = (text: string) => text.replace(/\n[ \t>]*/g, "\n");
        if (dialect !== "html") expect(plain(after), `${path}: ${source}`).toContain(plain(source));
      }
    }
    console.log(`corpus: ${kept} constructs kept`);
  });

  it("maps every admonition and lettered step, and says so file by file", () => {
    let boxes = 0;
    let steps = 0;
    for (const file of converted) {
      const named = reported(file, "admonition").length;
      const mapped = reported(file, "lettered-steps").reduce((sum, text) => sum + Number.parseInt(text, 10), 0);
      expect(named + count(file.document.body, admonition), file.path).toBe(count(file.body, admonition));
      expect(mapped + count(file.document.body, lettered), file.path).toBe(count(file.body, lettered));
      boxes += named;
      steps += mapped;
    }
    console.log(`corpus: ${boxes} admonitions and ${steps} lettered steps mapped`);
    expect(boxes).toBeGreaterThan(largeCorpus === null ? 3 : 30);
    expect(steps).toBeGreaterThan(largeCorpus === null ? 5 : 300);
  });

  it("has a title, a description and no H1 in every document, and survives its own file", () => {
    for (const { path, document } of converted) {
      expect(document.frontMatter.title, path).toMatch(/\S/);
      expect(document.frontMatter.description, path).toMatch(/\S/);
      eachNode(parseMarkdown(document.body), (node) => {
        if (node.type === "heading") expect(node.depth, path).toBeGreaterThan(1);
      });
      const file = fileTextOf(document.frontMatter, document.body);
      const { raw, body } = splitFrontMatter(file);
      const front = parseFrontMatter(raw ?? "");
      expect(front, path).toEqual(document.frontMatter);
      expect(fileTextOf(front, body), path).toBe(file);
    }
  });

  it("imports what it exported without a change", () => {
    for (const { path, document } of converted) {
      const again = readMarkdownDocument({ path, text: fileTextOf(document.frontMatter, document.body) });
      expect(again.body, path).toBe(document.body);
      expect(again.frontMatter, path).toEqual(document.frontMatter);
    }
  });
});
