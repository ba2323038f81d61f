import { expect, test } from "vitest";
import { bytesOf, corpusFiles } from "../corpus.ts";
import { faithfulSeeds } from "../nightly.ts";
import { importDifferences, wordAgainDifferences, wordInDifferences, wordOutDifferences } from "./docx.ts";

const many = faithfulSeeds(40);

test(
  "an import of a Word file changes no word, cell, number or box without a note",
  { timeout: 3_600_000 },
  async () => {
    expect(await wordInDifferences(0, many)).toEqual([]);
  },
);

test("a Word export has the words, cells, numbers and boxes of the view", { timeout: 3_600_000 }, async () => {
  expect(await wordOutDifferences(0, many)).toEqual([]);
});

test("an exported Word file comes back as its text", { timeout: 3_600_000 }, async () => {
  expect(await wordAgainDifferences(0, many)).toEqual([]);
});

test.each(corpusFiles(".docx").map((file) => [file.name, file] as const))("%s comes in whole", async (_, file) => {
  expect(await importDifferences(bytesOf(file))).toEqual([]);
});
