/** Every rule on real documents: nothing breaks, every issue points at its words, and fixes do only what they say. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { toString as treeText } from "mdast-util-to-string";
import type { Heading } from "mdast";
import { describe, expect, test } from "vitest";
import { lintAcross } from "#core/lint/across.ts";
import { lintFile, type LintOptions } from "#core/lint/engine.ts";
import { applyEdits } from "#core/lint/edits.ts";
import { lintAndFix } from "#core/lint/fix.ts";
import { parseFile } from "#core/lint/parse-file.ts";
import type { Finding } from "#core/lint/finding.ts";
import { rules } from "#core/lint/rules/index.ts";
import { isTreeKept } from "#core/lint/safe-fix.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { readYaml } from "#core/markdown/yaml.ts";
import { corpusFiles, largeCorpus, smallCorpus, textOf } from "../corpus.ts";

const settings = { terms: { utilize: "use", "sign off": "approve" } };

interface Linted {
  path: string;
  text: string;
  findings: Finding[];
}

function optionsFor(path: string): LintOptions {
  return { path, preset: "recommended", settings };
}

const roots = [smallCorpus, ...(largeCorpus === null ? [] : [largeCorpus])];

function lintCorpus(): Linted[] {
  const files = corpusFiles(".md").map((file) => ({ path: file.name, text: textOf(file) }));
  const linted = files.map(({ path, text }) => ({ path, text, ...lintFile(text, optionsFor(path)) }));
  const surroundings = {
    today: "2026-11-21",
    exists: (path: string) => roots.some((root) => existsSync(join(root, path))),
  };
  const across = lintAcross(
    linted.map(({ facts }) => facts),
    { preset: "recommended" },
    surroundings,
  );
  return linted.map(({ path, text, findings }) => ({
    path,
    text,
    findings: [...findings, ...(across.get(path) ?? [])],
  }));
}

const documents = lintCorpus();

const wordsOf = (heading: Heading): string => treeText(heading).replace(/\s+/g, " ").replaceAll("\u00a0", " ").trim();

/** The source at an issue's place, read again by line and column. */
function sourceAt(text: string, { line, column, endLine, endColumn }: Finding): string | undefined {
  const lines = text.split("\n");
  const first = lines[line - 1];
  const last = lines[endLine - 1];
  if (first === undefined || last === undefined || column < 1 || column > first.length + 1) return undefined;
  if (endColumn < 1 || endColumn > last.length + 1) return undefined;
  if (line === endLine) return first.slice(column - 1, endColumn - 1);
  return [first.slice(column - 1), ...lines.slice(line, endLine - 1), last.slice(0, endColumn - 1)].join("\n");
}

/** Rules whose issue covers certain characters, and these characters. */
const shapes: Record<string, RegExp> = {
  "ref/image-alt": /^!\[\s*\]/,
  "struct/no-h1": /^#\s|^[^\n]+\n[=]+|^#$/,
  "struct/heading-increment": /^#{3,6}(?:\s|$)|^[^\n]+\n-+/,
  "text/raw-html": /^\s*</,
  "struct/procedure-steps": /^(?:#|\d+[.)])/,
  "ref/internal-link": /^(?:!?\[|SOP-)/,
  "term/undefined-acronym": /^[A-Z][A-Z0-9]{1,5}s?$/,
  "step/measurable": /^\d/,
  "step/one-action": /^[a-z-]+$/,
};

describe("the corpus", () => {
  test("is linted to its end, and most rules have something to say", () => {
    expect(documents.length).toBeGreaterThan(largeCorpus === null ? 10 : 400);
    const rules = new Set(documents.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
    expect(rules.size).toBeGreaterThan(largeCorpus === null ? 9 : 19);
  });

  test("has each finding where it says, read again from the source", () => {
    for (const { path, text, findings } of documents) {
      for (const finding of findings) {
        const where = `${path}:${finding.line}:${finding.column} ${finding.rule}`;
        const source = sourceAt(text, finding);
        expect(source, where).toBeDefined();
        if (finding.rule.startsWith("parse/") || source === undefined) continue;
        expect(source.trim(), where).not.toBe("");
        const quoted = /^"([^"]+)" leaves|^"([^"]+)": say|^Write "[^"]+", not "([^"]+)"/.exec(finding.message);
        const word = quoted?.slice(1).find((one) => one !== undefined);
        if (word !== undefined) expect(source.replace(/\s+/g, " "), where).toBe(word.replace(/\s+/g, " "));
        const shape = shapes[finding.rule];
        if (shape !== undefined) expect(source, where).toMatch(shape);
      }
    }
  });

  test("is changed by a fix only where the fix says, and stays readable", () => {
    for (const { path, text, findings } of documents) {
      const edits = findings.flatMap(({ fix }) => fix?.edits ?? []);
      for (const { start, end } of edits) expect(0 <= start && start <= end && end <= text.length, path).toBe(true);
      for (const { fix, rule } of findings.filter((finding) => finding.fix?.safe)) {
        const fixed = applyEdits(text, fix?.edits ?? []);
        expect(fixed, `${path} ${rule}`).not.toBe(text);
      }
    }
  });

  test("has nothing left for a second run of the safe fixes", () => {
    let fixed = 0;
    for (const { path, text, findings } of documents) {
      if (!findings.some(({ fix }) => fix?.safe)) continue;
      const once = lintAndFix(text, optionsFor(path));
      fixed += once.fixed;
      expect(() => parseFile(once.text), path).not.toThrow();
      expect(
        once.findings.filter(({ rule, fix }) => fix?.safe === true || rule.startsWith("parse/")),
        path,
      ).toEqual(findings.filter(({ rule }) => rule.startsWith("parse/")));
    }
    expect(fixed).toBeGreaterThan(largeCorpus === null ? 5 : 100);
  });

  test("keeps its syntax trees, apart from what rules declare", () => {
    const declaring = ["suppress/unused", ...rules.flatMap(({ id, declares }) => (declares ? [id] : []))];
    const changed = documents.flatMap(({ path, text }) => {
      const fixed = lintAndFix(text, { ...optionsFor(path), settings: {} });
      return fixed.text === text || isTreeKept(text, fixed.text, declaring) ? [] : [path];
    });
    expect(changed).toEqual([]);
  });

  test("keeps its words and the levels of its headings, but for gaps that were closed", () => {
    const off = { "struct/heading-increment": "off" } as const;
    const outline = (text: string): string[] => {
      const { tree } = parseFile(text.replace(/^\uFEFF/, ""));
      return tree.children.flatMap((node) => (node.type === "heading" ? [`${node.depth} ${wordsOf(node)}`] : []));
    };
    for (const { path, text } of documents) {
      const fixed = lintAndFix(text, { ...optionsFor(path), settings: {}, rules: off }).text;
      const [before, after] = [outline(text), outline(fixed)];
      const moved = before.length - after.length;
      expect(after, path).toEqual(before.slice(moved));
      if (moved > 0) expect(readYaml(splitFrontMatter(fixed).raw ?? "")["title"], path).toBe(before[0]?.slice(2));
    }
  });

  test("is fixed only as declared with broken pieces in it, too", () => {
    const declaring = ["suppress/unused", ...rules.flatMap(({ id, declares }) => (declares ? [id] : []))];
    const samples = documents.filter(({ text }) => text.length < 6_000);
    const piece = fc.constantFrom(
      "# ",
      "\n",
      "   ",
      "9. ",
      "> [!Note]\n",
      "<!-- -->",
      "5 mg",
      "---\n",
      "    ",
      "`",
      "\t- ",
      "[a]: #b\n",
    );
    const mutation = fc.tuple(fc.nat(), fc.nat({ max: 40 }), piece);
    fc.assert(
      fc.property(fc.nat(), fc.array(mutation, { minLength: 1, maxLength: 5 }), (which, mutations) => {
        const { path, text } = samples[which % samples.length] ?? { path: "", text: "" };
        let source = text;
        for (const [at, cut, put] of mutations) {
          const place = source.length === 0 ? 0 : at % source.length;
          source = source.slice(0, place) + put + source.slice(place + cut);
        }
        const fixed = lintAndFix(source, optionsFor(path));
        if (fixed.fixed > 0) expect(isTreeKept(source, fixed.text, declaring), JSON.stringify(mutations)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
