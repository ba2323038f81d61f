/** Texts for people are in plain English, without the words below. `docs` and the template library count too. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import { madePages } from "../bin/pages.ts";
import { testNames, walk, type Node } from "./test-source.ts";
import { longerThan, sentencesOf, wordsIn } from "./sentences.ts";

const root = path.join(import.meta.dirname, "..");
const made = new Map(Object.entries(madePages).map(([name, make]) => [`docs/${name}`, make()]));
const read = (file: string) => made.get(file) ?? readFileSync(path.join(root, file), "utf8");

const odd =
  /\b(?:whoever|whatever|wherever|nobody|somebody|everybody|anybody|anew|stands|stood|in force|mend(?:s|ed)?|meanwhile|in the meantime|any more|besides|puts? right|one's own|things? of|be had|by now|told|may not|thereof|the asker|asker's|he|him|his)\b/gi;

/** Words that lint rules look for, released instructions and migrations that keep their text, and people near machines. */
const allowed: readonly (readonly [file: RegExp, words: RegExp])[] = [
  [/^core\/lint\/(?:english\/|rules\/actor\.ts)/, /./],
  [/^(?:core\/ai\/prompts|server\/database\/migration-list)\.ts$/, /./],
  [/^templates\/(?:sops|demo)\//, /^(?:stands|told)$/i],
  [/^docs\/glossary\.md$/, /./],
];

interface Text {
  file: string;
  text: string;
}

/** Every string and JSX text of a program with more than one word. The blanks of a template become `…`. */
function stringsOf(file: string, source: string): Text[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: Text[] = [];
  for (const node of walk(program as unknown as Node, ({ type }) => type !== "ImportDeclaration")) {
    const isText = node.type === "Literal" || node.type === "JSXText";
    if (isText && typeof node["value"] === "string") found.push({ file, text: node["value"] });
    if (node.type === "TemplateLiteral") {
      const parts = node["quasis"] as { value: { cooked: string } }[];
      found.push({ file, text: parts.map(({ value }) => value.cooked).join("…") });
    }
  }
  return found.filter(({ text }) => /\S\s+\S/.test(text));
}

/** The words of a page, without test names and other code. */
function pageOf(file: string): Text {
  const text = read(file)
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/`[^`\n]*`/g, "");
  return { file, text };
}

function oddWordsIn({ file, text }: Text): string[] {
  const fine = allowed.filter(([files]) => files.test(file)).map(([, words]) => words);
  return [...text.matchAll(odd)]
    .filter(([word]) => !fine.some((words) => words.test(word)))
    .map(({ 0: word, index }) => `${file}: ${word}: ${text.slice(Math.max(0, index - 40), index + 40)}`);
}

const sources = globSync(["{core,server,cli}/**/*.ts", "web/**/*.{ts,tsx}"], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|(?:^|\/)testing\/|\/guard-/.test(file),
);
/** Read once: parsing all sources takes most of the time here. */
let readTexts: readonly Text[] | undefined;
const sourceTexts = () => (readTexts ??= sources.flatMap((file) => stringsOf(file, read(file))));
const pages = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "deploy/README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  ".env.example",
  ...made.keys(),
  ...globSync(["docs/{,decisions/,spec/,tutorials/}*.md", "templates/**/*.{md,txt,json,yml,yaml}"], { cwd: root }),
];

describe("the check finds", () => {
  const found = (code: string) => stringsOf("a.tsx", code).flatMap(oddWordsIn);

  test("odd words in strings, templates and JSX, and none in imports, names or single words", () => {
    expect(found('fail("Nobody may do this", `${who} stands here`)')).toHaveLength(2);
    expect(found('<p title="Ask somebody">Nobody is here</p>')).toHaveLength(2);
    expect(found('import "in force"; const told = whoever["nobody"];')).toEqual([]);
  });

  test("odd words in pages, but none in code", () => {
    expect(pages).toContain("README.md");
    expect(oddWordsIn({ file: "docs/a.md", text: "The text stands here" })).toHaveLength(1);
    expect(oddWordsIn({ file: "templates/sops/a.md", text: "Everyone stands clear" })).toEqual([]);
  });
});

test("core, server, cli and web say nothing in odd words", () => {
  const texts = sourceTexts();
  expect(texts.length).toBeGreaterThan(5_000);
  expect(texts.flatMap(oddWordsIn)).toEqual([]);
});

test("names of tests say nothing in odd words", () => {
  const files = globSync(["{core,server,cli,test}/**/*.test.ts", "web/**/*.test.{ts,tsx}"], { cwd: root });
  const names = files.flatMap((file) => testNames(path.join(root, file)).map((text) => ({ file, text })));
  expect(names.length).toBeGreaterThan(2_000);
  expect(names.flatMap(oddWordsIn)).toEqual([]);
});

test("pages and templates say nothing in odd words", () => {
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.map(pageOf).flatMap(oddWordsIn)).toEqual([]);
});

/** Code has braces. Lists of words and SQL have no article or verb, or no punctuation. */
const isProse = (sentence: string) =>
  !/[{}<>]/.test(sentence) && /[.,:;?!]/.test(sentence) && /\b(?:the|an?|is|are|to|of|and|with)\b/.test(sentence);

function longSentencesIn({ file, text }: Text): string[] {
  if (/^core\/(?:lint\/english|ai\/prompts)/.test(file)) return [];
  return longerThan(20, sentencesOf(text))
    .filter(isProse)
    .map((sentence) => `${file}: ${wordsIn(sentence)} words: ${sentence}`);
}

test("a text with a long sentence is found, a list of words is not", () => {
  const long = `Choose the category${" of the SOP".repeat(5)}, then save it.`;
  expect(longSentencesIn({ file: "web/a.tsx", text: long })).toHaveLength(1);
  expect(longSentencesIn({ file: "web/a.tsx", text: long.replace(" of the SOP,", ". Then") })).toEqual([]);
  expect(longSentencesIn({ file: "web/a.tsx", text: "word ".repeat(30) })).toEqual([]);
});

test("screens, errors, emails, commands and the API say at most 20 words in a sentence", () => {
  expect(sourceTexts().flatMap(longSentencesIn)).toEqual([]);
});

/** The share of sentences with more than 20 words. */
const shareOfLong = (text: string) => {
  const sentences = sentencesOf(text).filter((sentence) => wordsIn(sentence) > 2);
  return longerThan(20, sentences).length / sentences.length;
};

/** Decisions are short, so they count together. */
const prose: Record<string, readonly string[]> = {
  "docs/decisions": pages.filter((file) => file.includes("/decisions/")),
};
for (const file of pages) if (/^(?!templates\/|docs\/decisions\/).*\.md$/.test(file)) prose[file] = [file];

test.each(Object.entries(prose))("at most 10 of 100 sentences have more than 20 words in %s", (_name, files) => {
  expect(shareOfLong(files.map(read).join("\n\n"))).toBeLessThanOrEqual(0.1);
});
