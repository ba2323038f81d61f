/** Findings and notes change their language: each one is a message of a catalog, with values from its document. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { englishTexts } from "../../bin/texts.ts";
import { unreviewedAssumptionFindings } from "../ai/unreviewed.ts";
import { lintAcross } from "../lint/across.ts";
import { lintFile, lintText } from "../lint/engine.ts";
import { factsOf } from "../lint/facts.ts";
import { findingSentence, type Finding } from "../lint/finding.ts";
import { presets } from "../lint/presets.ts";
import type { BadExample, Rule } from "../lint/rule.ts";
import { rules } from "../lint/rules/index.ts";
import { alertKinds } from "../markdown/alert-grades.ts";
import { frontMatterKinds } from "../markdown/front-matter.ts";
import { sentenceText, spokenText, type Sentence } from "./catalog.ts";
import { setSpokenLanguage, type MessageTree } from "./spoken.ts";

const english = englishTexts("core");
const madeUp = (tree: MessageTree): MessageTree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, leaf]) => [key, typeof leaf === "string" ? `⟦${key}⟧` : madeUp(leaf)]),
  );
const texts = madeUp(english) as Readonly<Record<string, MessageTree>>;

beforeEach(() => setSpokenLanguage({ code: "x-made-up", texts }));
afterEach(() => setSpokenLanguage({ code: "en", texts: {} }));

/** Words of the format of SOPs, which no language changes. */
const formatWords = [...Object.keys(frontMatterKinds), ...alertKinds, ...presets.regulated.sections].join(" ");

/** What a sentence says in words that are neither in a catalog nor in its document. */
function wordsLeft(sentence: Sentence, document: string): string[] {
  if (sentence.id === undefined) return document.includes(sentence.text) ? [] : [sentence.text];
  const { id, values } = sentence;
  const [catalog, key] = [id.slice(0, id.lastIndexOf(".")), id.slice(id.lastIndexOf(".") + 1)];
  const message = String(english[catalog]?.[key]);
  const left = Object.entries(values).flatMap(([name, value]) => {
    if (typeof value === "object") return wordsLeft(value, document);
    const isChosenBy = message.includes(`{${name}, select`);
    return isChosenBy || isFromDocument(String(value), document) ? [] : [`${id}: ${value}`];
  });
  return sentenceText({ id, values }) === `⟦${key}⟧` ? left : [id, ...left];
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
  const facts = Object.entries(others).map(([other, source]) => factsOf(source, other));
  return lintAcross([...facts, lintFile(text, options).facts], options, { today, complete: true }).get(path) ?? [];
}

it.each(rules)("$id has its reason and its findings in another language", (rule) => {
  expect(spokenText(rule.why)).toBe("⟦why⟧");
  if (rule.declares) expect(spokenText(rule.declares.says)).toMatch(/^⟦\w+⟧$/);
  for (const example of rule.bad) {
    const document = `${example.text} ${JSON.stringify(rule.setting)} ${formatWords}`;
    const found = findingsOfExample(rule, example).filter((finding) => finding.rule === rule.id);
    expect(found).not.toEqual([]);
    for (const finding of found) expect(wordsLeft(findingSentence(finding), document)).toEqual([]);
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
    expect(wordsLeft(findingSentence(finding), `${suppressed} de It is hot js ${formatWords}`)).toEqual([]);
});
