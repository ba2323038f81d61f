import { expect, it } from "vitest";
import { commonFolderOf, placementOf, mergedTags } from "./folders.ts";

const both = { categories: true, tags: true };

it.each([
  ["a.md", [], { folders: [], tags: [] }],
  ["handbook/a.md", ["handbook"], { folders: [], tags: [] }],
  ["handbook/it/a.md", ["handbook"], { folders: ["it"], tags: [] }],
  ["handbook/it/a.md", [], { folders: ["handbook", "it"], tags: [] }],
  ["docs/it/net/wifi/guest/a.md", ["docs"], { folders: ["it", "net"], tags: ["wifi", "guest"] }],
  ["docs/it/net/wifi/guest/a.md", ["docs", "docs/it"], { folders: ["net", "wifi"], tags: ["guest"] }],
  ["安全/消防/训练/a.md", [], { folders: ["安全", "消防"], tags: ["训练"] }],
  ["!!!/it/content/a.md", [], { folders: ["it"], tags: [] }],
  ["a/b/c, d/c, d/e.md", [], { folders: ["a", "b"], tags: ["c d"] }],
])("%s below %j", (path, starts, placement) => {
  expect(placementOf(path, starts, both)).toEqual(placement);
});

it("keeps all folders as tags without categories, and nothing unless asked", () => {
  expect(placementOf("it/net/wifi/a.md", [], { categories: false, tags: true })).toEqual({
    tags: ["it", "net", "wifi"],
  });
  expect(placementOf("it/net/wifi/a.md", [], { categories: true, tags: false })).toEqual({ folders: ["it", "net"] });
  expect(placementOf("it/a.md", [], { categories: false, tags: false })).toEqual({});
});

it("cuts long names to what a category and a tag can have", () => {
  const long = "x".repeat(200);
  const { folders, tags } = placementOf(`${long}/b/${long}/a.md`, [], both);
  expect([folders?.[0]?.length, tags?.[0]?.length]).toEqual([80, 60]);
});

it("adds tags once, after the document's own", () => {
  expect(mergedTags(["b", "a"], ["a", "c"])).toEqual(["b", "a", "c"]);
  expect(mergedTags(undefined, [])).toEqual([]);
});

it.each([
  [["h/a.md", "h/img/p.png"], ["h"]],
  [["h/a.md", "__MACOSX/h/._a.md", "h/.DS_Store"], ["h"]],
  [["h/a.md", "b.md"], []],
  [["a.md"], []],
])("finds the folder around all files of %j", (paths, folder) => {
  expect(commonFolderOf(paths)).toEqual(folder);
});
