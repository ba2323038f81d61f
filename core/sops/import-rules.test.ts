import { expect, test } from "vitest";
import { categoryFolders, decideImport } from "./import-rules.ts";

test.each([
  [null, null, "create"],
  [{ version: 3, sameAsLatest: true, sameAsBase: false }, null, "unchanged"],
  [{ version: 3, sameAsLatest: true, sameAsBase: false }, 1, "unchanged"],
  [{ version: 3, sameAsLatest: false, sameAsBase: true }, 1, "unchanged"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false }, 3, "update"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false }, 2, "conflict"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false }, null, "conflict"],
])("%j based on %s is %s", (target, base, outcome) => {
  expect(decideImport(target, base)).toEqual({ outcome });
});

test.each([
  ["a.md", []],
  ["Safety/a.md", ["Safety"]],
  ["docs/Safety/lab/a.md", ["lab", "Safety"]],
  ["sops/Pages/./a.md", []],
  ["./a.md", []],
])("the folders of %s that may name a category are %j", (path, folders) => {
  expect(categoryFolders(path)).toEqual(folders);
});
