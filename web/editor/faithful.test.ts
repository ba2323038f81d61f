import { expect, it } from "vitest";
import { editorDifferences } from "../../test/faithful/editor.ts";
import { faithfulSeeds } from "../../test/nightly.ts";

it("one typed letter changes nothing else that a reader sees", { timeout: 1_800_000 }, async () => {
  expect(await editorDifferences(0, faithfulSeeds(60))).toEqual([]);
});
