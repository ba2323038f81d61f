import { expect, test } from "vitest";
import { canNameCategory, categorySlug, findCategory, startingCategories } from "./rules.ts";

const categories = [
  ...startingCategories,
  { name: "日本語", slug: "document" },
  { name: "Quality", slug: "lab-and-quality" },
  { name: "Größe", slug: "grosse" },
];

test.each([
  ["HR Procedures", "hr-procedures"],
  ["hr-procedures", "hr-procedures"],
  [" FINANCE ", "finance"],
  ["日本語", "document"],
  ["quality", "lab-and-quality"],
  ["Lab & Quality", "lab-and-quality"],
  ["lab-and-quality", "lab-and-quality"],
  ["GRÖßE", "grosse"],
  ["grosse", "grosse"],
  ["中文", undefined],
  ["日本語 Finance", undefined],
  ["Финансы", undefined],
  ["!!", undefined],
])("%j means %j", (wanted, slug) => {
  expect(findCategory(categories, wanted)?.slug).toBe(slug);
});

test("a slug is given once", () => {
  expect(categorySlug("中文", categories)).toBe("document-2");
  expect(categorySlug("中文", [...categories, { name: "中文", slug: "document-2" }])).toBe("document-3");
  expect(categorySlug("Kitchen", categories)).toBe("kitchen");
  const long = "a".repeat(80);
  const second = categorySlug(long, [{ name: long, slug: categorySlug(long, []) }]);
  expect([second.length <= 60, second.endsWith("-2")]).toEqual([true, true]);
});

test("a name holds a letter or a digit", () => {
  expect(["a", "1", "語"].every(canNameCategory)).toBe(true);
  expect(["", " ", "..", "!!", "—"].some(canNameCategory)).toBe(false);
});
