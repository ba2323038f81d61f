/** Findings and notes change their language: each one is a message of a catalog, with values from its document. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { englishTexts } from "../../bin/texts.ts";
import { unreviewedAssumptionFindings } from "../ai/unreviewed.ts";
import { readDocx } from "../import/docx/docx-file.ts";
import { bodyOfHtml } from "../import/html/content.ts";
import { readHtmlFile } from "../import/html/html-file.ts";
import { linkedDocumentOf } from "../import/link-to.ts";
import { readMarkdownDocument } from "../import/markdown/markdown-file.ts";
import { createReport, lossSummary, type ReportLine } from "../import/markdown/report.ts";
import { rewriteLinks } from "../import/rewrite-links.ts";
import { notSplitNote } from "../import/split/split.ts";
import { storedFileOrProblem } from "../import/stored-files.ts";
import { lintAcross } from "../lint/across.ts";
import { lintFile, lintText } from "../lint/engine.ts";
import { readFileFacts } from "../lint/facts.ts";
import { sentenceOfMessage } from "./catalog.ts";
import { type Finding } from "../lint/finding.ts";
import { presets } from "../lint/presets.ts";
import type { BadExample, Rule } from "../lint/rule.ts";
import { rules } from "../lint/rules/index.ts";
import { alertKinds } from "../markdown/alert-grades.ts";
import { frontMatterKinds } from "../markdown/front-matter.ts";
import { isSentence, translatedSentenceText, spokenText, type Sentence } from "./catalog.ts";
import { setSpokenLanguage, type MessageTree } from "./spoken.ts";

const english = englishTexts("core");
const madeUp = (tree: MessageTree): MessageTree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, leaf]) => [key, typeof leaf === "string" ? `⟦${key}⟧` : madeUp(leaf)]),
  );
const texts = madeUp(english) as Readonly<Record<string, MessageTree>>;

beforeEach(() => setSpokenLanguage({ code: "x-made-up", texts }));
afterEach(() => setSpokenLanguage({ code: "en", texts: {} }));

/** Words of the formats of SOPs and of other tools, which no language changes. */
const formatWords = [
  ...Object.keys(frontMatterKinds),
  ...alertKinds,
  ...presets.regulated.sections,
  "container mdx pandoc id class",
].join(" ");

/** The words of a sentence that are neither in a catalog nor in its document. */
function wordsLeft(sentence: Sentence, document: string): string[] {
  if (sentence.id === undefined) return document.includes(sentence.text) ? [] : [sentence.text];
  const { id, values } = sentence;
  const [catalog, key] = [id.slice(0, id.lastIndexOf(".")), id.slice(id.lastIndexOf(".") + 1)];
  const message = String(english[catalog]?.[key]);
  const left = Object.entries(values).flatMap(([name, value]) => {
    if (isSentence(value)) return wordsLeft(value, document);
    const isChosenBy = message.includes(`{${name}, select`);
    return isChosenBy || isFromDocument(String(value), document) ? [] : [`${id}: ${value}`];
  });
  return translatedSentenceText({ id, values }) === `⟦${key}⟧` ? left : [id, ...left];
}

/** Tells whether all words of a value are in the document, in capitals or not. */
function isFromDocument(value: string, document: string): boolean {
  const words = value.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const known = new Set(document.toLowerCase().match(/\p{L}{2,}/gu));
  return words.every((word) => known.has(word));
}

function findingsOfExample({ id, setting = {}, across }: Rule, { text }: BadExample): Finding[] {
  const {
    path = "a.md",
    preset = "recommended",
    settings = {},
    base = {},
    others = {},
    today = "2026-01-01",
  } = setting;
  const options = { path, preset, settings, base, rules: { [id]: "error" } } as const;
  if (across === undefined) return lintText(text, options);
  const facts = Object.entries(others).map(([other, source]) => readFileFacts(source, other));
  return lintAcross([...facts, lintFile(text, options).facts], options, { today, complete: true }).get(path) ?? [];
}

it.each(rules)("$id has its reason and its findings in another language", (rule) => {
  expect(spokenText(rule.why)).toBe("⟦why⟧");
  if (rule.declares) expect(spokenText(rule.declares.says)).toMatch(/^⟦\w+⟧$/);
  for (const example of rule.bad) {
    const document = `${example.text} ${JSON.stringify(rule.setting)} ${formatWords}`;
    const found = findingsOfExample(rule, example).filter((finding) => finding.rule === rule.id);
    expect(found).not.toEqual([]);
    for (const finding of found) expect(wordsLeft(sentenceOfMessage(finding), document)).toEqual([]);
  }
});

it("findings of no rule are in another language, too", () => {
  const suppressed = "<!-- sop-disable-next-line text/secret nothing/known -->\nText\n";
  const options = { path: "a.md", preset: "regulated" } as const;
  const found = [
    ...lintText(`---\nlang: de\n---\n${suppressed}`, options),
    ...lintText("---js\nrun()\n---\n", options),
    ...lintText(`${"> ".repeat(20_000)}a\n`, options),
    ...unreviewedAssumptionFindings("## Assumptions to confirm\n\n- [ ] It is hot\n"),
  ];
  expect([...new Set(found.map(({ rule }) => rule))]).toEqual(
    expect.arrayContaining([
      "suppress/unused",
      "suppress/reason",
      "lint/language",
      "parse/front-matter",
      "parse/text",
      "ai/unreviewed",
    ]),
  );
  for (const finding of found)
    expect(wordsLeft(sentenceOfMessage(finding), `${suppressed} de It is hot js ${formatWords}`)).toEqual([]);
});

const root = path.join(import.meta.dirname, "../..");
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((name) => [name, readFileSync(path.join(root, name))] as const);

/** The words of notes that are neither in a catalog nor in the document. */
const wordsLeftIn = (notes: readonly ReportLine[], document: string): string[] =>
  notes.flatMap((note) => wordsLeft(sentenceOfMessage(note), `${document} ${note.path} ${formatWords}`));

const noted = new Set<string>();

it.each(filesOf("test/{corpus,dialects}/**/*.md"))("notes on %s are in another language", (name, bytes) => {
  const text = bytes.toString();
  // the front matter of this file can't be read
  if (name.endsWith("broken-front-matter.md")) return;
  const { report, body } = readMarkdownDocument({ path: name, text });
  for (const { code } of report) noted.add(code);
  expect(wordsLeftIn(report, `${text} ${body}`)).toEqual([]);
});

it.each(filesOf("test/corpus/**/*.html"))("notes on %s are in another language", (name, bytes) => {
  const report = createReport(name);
  readHtmlFile(bytes, report);
  for (const { code } of report.lines) noted.add(code);
  expect(wordsLeftIn(report.lines, bytes.toString())).toEqual([]);
});

it.each(filesOf("test/{corpus,faithful}/**/*.docx"))("notes on %s are in another language", async (name, bytes) => {
  const report = createReport(name);
  await readDocx(name, bytes, report);
  for (const { code } of report.lines) noted.add(code);
  const parts = Object.values(unzipSync(bytes)).map((part) => new TextDecoder().decode(part));
  expect(wordsLeftIn(report.lines, parts.join(" "))).toEqual([]);
});

const plain = `\uFEFFtitle: ${"Long ".repeat(100)}
tags: {}
odd: 1
---

# One\r
\u0007a\u030a [x](y.md) [x](#z) [[w]] ![i](https://example.org/i.png)

1. a
4. b

a) Open\nb) Close

| A |
| --- |
| b | c |

(a) one
Owner: Ann
Author: Bob
`;

it("notes on a file, its links and its HTML are in another language", () => {
  const { report } = readMarkdownDocument({ path: "a.md", text: plain });
  const lost = createReport("a.md");
  const what = storedFileOrProblem("i.svg", new Uint8Array(9), String, () => Promise.resolve(new Uint8Array()));
  const resolver = {
    resolve: (url: string) =>
      url === "y.md" ? undefined : { kind: "missing" as const, ...("problem" in what && { what: what.problem }) },
    named: () => undefined,
  };
  rewriteLinks("[x](y.md) [z](y.md) [[w]] ![i](i.svg)\n", resolver, lost, () => [1, 2]);
  const refused = { path: "a.md", sha256: "", text: "b.md", links: [{ start: 0, end: 4, path: "b.md", fragment: "" }] };
  const html =
    "<video src='v.mp4'></video><p style='x' onclick='y'><font>z</font><abbr title='q'>Q</abbr><select><option>a<option>b</select>" +
    "<input><input value=v><button>B</button> <blink>k</blink> <img alt=A><ol type=a><li>x<li value=9>y</ol>" +
    "<table><tr><td><table><tr><td>t</table></table><pre><a href='https://a.example'>c</a><sup>2</sup></pre><img src='https://a.example/p.png'></p>";
  const found = [
    ...report,
    ...lost.lines,
    ...linkedDocumentOf(refused, () => undefined).notes,
    ...bodyOfHtml({ content: html, title: "T" }).notes,
    notSplitNote("a.md"),
  ];
  for (const { code } of found) noted.add(code);
  // changes of columns name rows
  expect(wordsLeftIn(found, `${plain} ${html.replaceAll(/<.*?>/g, "")} ${html} y.md i.svg b.md row`)).toEqual([]);
});

it("a note takes no plain text, so each has a sentence", () => {
  // @ts-expect-error a plain text can't change with the language
  expect(() => createReport("a.md").add("link", "a link")).not.toThrow();
});

it("a summary counts in another language", () => {
  expect(noted.size).toBeGreaterThan(40);
  const notes = [...noted].map((code) => ({ code, message: "" }));
  expect(lossSummary(notes)).toMatch(/^(?:⟦[\w-]+⟧(?:, |$))+$/);
});
