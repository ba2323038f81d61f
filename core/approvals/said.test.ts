/** The measure of authorship over real documents: edits that leave a sentence to its author, and texts that share none. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corpusFiles, textOf } from "../../test/corpus.ts";
import {
  sequenceHashesOf,
  createEditDistanceTo,
  createCloserMatchFilter,
  blocksBySection,
  comparableSentencesOf,
  sentenceWeightOf,
  wordsOfMarkdown,
} from "./said.ts";

const nowhere = () => Infinity;
const sentencesIn = (markdown: string) =>
  blocksBySection(markdown).flatMap((section) => comparableSentencesOf(section));
const texts = corpusFiles(".md", { oneIn: 6 })
  .map((file) => ({ from: file.name.split("/")[0], text: textOf(file) }))
  .filter(({ text }) => text.length < 40_000);
const documents = texts.map((one) => ({
  ...one,
  near: createEditDistanceTo(wordsOfMarkdown(one.text)),
  said: sentencesIn(one.text),
}));
/** As they are written, without Markdown's signs. */
const written = texts
  .flatMap(({ text }) => text.split("\n"))
  .filter((line) => /^(?:[-*] |\d+\. )?[A-Z][^|<>[\]*_`]*\.$/.test(line))
  .flatMap((line) => line.replace(/^(?:[-*]|\d+\.) /, "").split(/(?<=[.!?]) /));

const at = (words: string, place: number) => place % words.split(" ").length;
const exchanged = (text: string, place: number, by: string[]) =>
  text.split(" ").with(at(text, place), by.join(" ")).join(" ");
type Edit = (text: string, place: number) => string;
const spellings: Record<string, Edit> = {
  "the same": (text) => text,
  "no period": (text) => text.replace(/[.!?]$/, ""),
  "no comma": (text) => text.replace(",", ""),
  capitals: (text) => text.toUpperCase(),
  "a space that doesn't break": (text) => text.replace(" ", "\u00a0"),
  "bold words": (text, place) => exchanged(text, place, [`**${text.split(" ")[at(text, place)]}**`]),
  "another line": (text, place) => exchanged(text, place, [`\n${text.split(" ")[at(text, place)]}`]),
  "another paragraph": (text, place) => exchanged(text, place, [`\n\n${text.split(" ")[at(text, place)]}`]),
  "an entry of a list": (text) => `3. ${text}`,
  "a longer sentence": (text) => `Make sure that ${text.slice(0, -1)} and go on.`,
};
const words: Record<string, Edit> = {
  "another word": (text, place) => exchanged(text, place, ["replaced"]),
  "one word less": (text, place) => text.split(" ").toSpliced(at(text, place), 1).join(" "),
  "one word more": (text, place) => text.split(" ").toSpliced(at(text, place), 0, "added").join(" "),
  "two other words": (text, place) => exchanged(exchanged(text, place, ["replaced"]), place * 7 + 3, ["again"]),
};

/** Counts the edited sentences that are found between other texts, by the number of words. */
function missed(edit: Edit, fewest: number): { missed: number; of: number } {
  const counts = { missed: 0, of: 0 };
  const some = written.filter((text) => wordsOfMarkdown(text).length >= fewest);
  fc.assert(
    fc.property(fc.constantFrom(...some), fc.constantFrom(...documents), fc.nat(60), (text, around, place) => {
      if (around.near(wordsOfMarkdown(text)) < Infinity) return;
      counts.of += 1;
      const near = createEditDistanceTo(
        wordsOfMarkdown(`${around.text.slice(0, 3000)}\n\n${edit(text, place)}\n\nThe end.\n`),
      );
      if (!sentencesIn(text).some(createCloserMatchFilter(near, around.near))) counts.missed += 1;
    }),
    { numRuns: 400, seed: 14 },
  );
  return counts;
}

describe("a sentence belongs to its author", () => {
  test.each(Object.entries(spellings))("with %s", (_, edit) => {
    const counts = missed(edit, 4);
    expect(counts.of).toBeGreaterThan(300);
    expect(counts.missed / counts.of).toBeLessThan(0.01);
  });

  test.each(Object.entries(words))("with %s, from eight words on", (_, edit) => {
    const counts = missed(edit, 8);
    expect(counts.of).toBeGreaterThan(300);
    expect(counts.missed / counts.of).toBeLessThan(0.04);
  });
});

test("texts of different people share no sentence", () => {
  const counts = { pairs: 0, shared: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...documents), fc.constantFrom(...documents), (one, other) => {
      if (one.from === other.from) return;
      counts.pairs += 1;
      if (one.said.some(createCloserMatchFilter(other.near, nowhere))) counts.shared += 1;
    }),
    { numRuns: 2000, seed: 14 },
  );
  expect(counts.pairs).toBeGreaterThan(900);
  expect(counts.shared / counts.pairs).toBeLessThan(0.01);
});

test("a text with a tenth of its words changed, or with one more line, has a mark of the other one", () => {
  const found = texts
    .filter(({ text }) => wordsOfMarkdown(text).length > 50)
    .map(({ text }) => {
      const known = new Set(sequenceHashesOf(text));
      const changed = text.split(" ").map((word, index) => (index % 10 === 0 ? `changed${index}` : word));
      const copies = [`${text}\n\nA line that the copier adds.\n`, changed.join(" ")];
      return copies.map((copy) => sequenceHashesOf(copy).some((mark) => known.has(mark)));
    });
  expect(found.every(([more]) => more)).toBe(true);
  expect(found.filter(([, changed]) => !changed).length / found.length).toBeLessThan(0.05);
});

test.each([
  ["Open the valve, then\nwait.", ["open", "the", "valve", "then", "wait"]],
  ["> 1. [x] **O**pen&nbsp;\\[it\\]<br>", ["open", "it"]],
  ["Ｏｐｅｎ Straße cafe\u0301 pres\u00adsure", ["open", "strasse", "cafe", "pressure"]],
  ["阀门 5 mL", ["阀", "门", "5", "ml"]],
  ["밸브 5", ["밸", "브", "5"]],
])("the words of %j", (text, said) => expect(wordsOfMarkdown(text)).toEqual(said));

test.each([
  ["Wear gloves.\n\nOpen the drain valve slowly.", ["open the drain valve slowly"]],
  [
    "| Speed of rotor |\n| --- |\n| 300 |\n\n- Wear gloves.\n- Stop it now.",
    ["300 wear gloves stop it now", "wear gloves stop it now"],
  ],
  ["## The people who do it\n\nWear gloves.\n\n## The end of it all\n\nStop it.", []],
  ["戴上手套。\n\n请慢慢打开排水阀门。", ["请 慢 慢 打 开 排 水 阀 门"]],
  ["手袋を着用してください。\n\n# 1\n\n장갑을 착용하십시오.\n\n# 2\n\nสวมถุงมือ", []],
  ["밸브를잠그고전원을차단하십시오", ["밸 브 를 잠 그 고 전 원 을 차 단 하 십 시 오"]],
])("the sentences of %j", (text, said) => expect(sentencesIn(text).map((one) => one.join(" "))).toEqual(said));

// a longer work than the limit of tests would fail it
test("a text without end is compared in time", { timeout: 60_000 }, () => {
  const text = Array.from({ length: 20_000 }, (_, n) => `go go go go ${n % 5000}`).join(". ");
  const near = createEditDistanceTo(wordsOfMarkdown(text));
  const found = sentencesIn(text.replaceAll("0", "9")).filter(createCloserMatchFilter(near, nowhere));
  expect(found.length).toBeGreaterThan(0);
  expect(sentenceWeightOf(found[0] ?? [])).toBe(5);
});

test.each(["-", " ", "|", "> ", "- ", "<a", "&a", ".)", "`", "**_", "1. [x] ", "| - "])(
  "a line of nothing but %j is read in time",
  (part) => {
    const text = `${part.repeat(200_000)}x`;
    expect(sentencesIn(text).length).toBeLessThan(200_000);
    sequenceHashesOf(text);
  },
);
