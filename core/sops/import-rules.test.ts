import { expect, test } from "vitest";
import { possibleCategoryFolders, decideImport, isOtherDocument, sharesHalfOfLines } from "./import-rules.ts";

test.each([
  [null, null, "create"],
  [{ version: 3, sameAsLatest: true, sameAsBase: false, isOther: false }, null, "unchanged"],
  [{ version: 3, sameAsLatest: true, sameAsBase: false, isOther: false }, 1, "unchanged"],
  [{ version: 3, sameAsLatest: false, sameAsBase: true, isOther: false }, 1, "unchanged"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false, isOther: false }, 3, "update"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false, isOther: true }, 3, "conflict"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false, isOther: false }, 2, "conflict"],
  [{ version: 3, sameAsLatest: false, sameAsBase: false, isOther: false }, null, "conflict"],
])("%j based on %s is %s", (target, base, outcome) => {
  expect(decideImport(target, base)).toEqual({ outcome });
});

test.each([
  ["Overview", "Read this first.\n\n---\n", "Home", "Welcome to the site.\n\n---\n", true],
  ["Overview", "Read this first.\n", "Overview", "Welcome to the site.\n", false],
  ["Overview", "Read this first.\n", "Home", "Welcome.\n\nRead this first.\n", false],
])("%s: %j and %s: %j are two documents: %s", (title, markdown, newTitle, newMarkdown, isOther) => {
  expect(isOtherDocument({ title, markdown }, { title: newTitle, markdown: newMarkdown })).toBe(isOther);
});

test.each([
  ["Fill it.\nBoil it.\n", "Fill it.\nBoil it twice.\n", true],
  ["Fill it.\nBoil it.\n", "Fill it.\n\n---\n\nWash it.\nDry it.\n", false],
  ["---\n", "---\n", false],
  ["", "", false],
])("%j resembles %j: %s", (before, after, does) => {
  expect(sharesHalfOfLines(before, after)).toBe(does);
});

test.each([
  ["a.md", []],
  ["Safety/a.md", ["Safety"]],
  ["docs/Safety/lab/a.md", ["lab", "Safety"]],
  ["sops/Pages/./a.md", []],
  ["./a.md", []],
])("the folders of %s that may name a category are %j", (path, folders) => {
  expect(possibleCategoryFolders(path)).toEqual(folders);
});
