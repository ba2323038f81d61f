import { describe, expect, test } from "vitest";
import {
  canNameCategory,
  categoryPaths,
  findCategory,
  sortInNestedOrder,
  outerCategoryOf,
  parentProblem,
  categoryIdsWithin,
} from "./rules.ts";
import { uniqueCategorySlug } from "./slug.ts";
import { categoriesByTrade, startingCategories, categoriesAfterTradeChange } from "./starting.ts";

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
  expect(uniqueCategorySlug("中文", categories)).toBe("zhongwen");
  expect(uniqueCategorySlug("🔥", categories)).toBe("document-2");
  expect(uniqueCategorySlug("🔥", [...categories, { name: "🔥🔥", slug: "document-2" }])).toBe("document-3");
  expect(uniqueCategorySlug("Kitchen", categories)).toBe("kitchen");
  const long = "a".repeat(80);
  const second = uniqueCategorySlug(long, [{ name: long, slug: uniqueCategorySlug(long, []) }]);
  expect([second.length <= 60, second.endsWith("-2")]).toEqual([true, true]);
});

test("a name holds a letter or a digit", () => {
  expect(["a", "1", "語"].every(canNameCategory)).toBe(true);
  expect(["", " ", "..", "!!", "—"].some(canNameCategory)).toBe(false);
});

test("no category has the folder of SOPs without one", () => {
  expect(["uncategorized", "UNCATEGORIZED", " Uncategorized! ", "Ùncategorized"].some(canNameCategory)).toBe(false);
  expect(["Categorized", "Un-categorized", "Uncategorized 2", "Uncategorized Ж"].every(canNameCategory)).toBe(true);
  expect(uniqueCategorySlug("Uncategorized", [])).toBe("uncategorized-2");
});

describe("categories inside others", () => {
  const production = { id: "p", name: "Production", parentId: null };
  const kitchen = { id: "k", name: "Kitchen", parentId: null };
  const cleaning = { id: "c", name: "Cleaning", parentId: "p" };
  const all = [production, kitchen, cleaning];

  test("have two levels", () => {
    expect(parentProblem(all, null, null)).toBeNull();
    expect(parentProblem(all, null, "p")).toBeNull();
    expect(parentProblem(all, "c", "k")).toBeNull();
    expect(parentProblem(all, "k", "p")).toBeNull();
    expect(parentProblem(all, null, "x")?.text).toBe("This category is not known");
    expect(parentProblem(all, "k", "k")?.text).toBe("A category can't be inside itself");
    expect(parentProblem(all, null, "c")?.text).toBe("This category is inside another one");
    expect(parentProblem(all, "p", "k")?.text).toBe("This category contains others");
  });

  test("follow the one around them, and are named after it", () => {
    expect(sortInNestedOrder(all).map(({ name }) => name)).toEqual(["Production", "Cleaning", "Kitchen"]);
    expect(sortInNestedOrder([cleaning]).map(({ name }) => name)).toEqual(["Cleaning"]);
    expect(categoryIdsWithin(all, "p")).toEqual(["p", "c"]);
    expect(categoryIdsWithin(all, "c")).toEqual(["c"]);
    expect([...categoryPaths(all)]).toEqual([
      ["p", "Production"],
      ["k", "Kitchen"],
      ["c", "Production / Cleaning"],
    ]);
    expect(["c", "k", "x", null].map((id) => outerCategoryOf(all, id)?.name)).toEqual([
      "Production",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the categories a company starts with", () => {
  const started = (trade: keyof typeof categoriesByTrade) =>
    categoriesByTrade[trade].map((category) => ({ ...category, id: category.slug, isUsed: false }));
  const after = (...[existing, before, trade]: Parameters<typeof categoriesAfterTradeChange>) => {
    const { removed, list } = categoriesAfterTradeChange(existing, before, trade);
    const names = list.map((entry) => ("kept" in entry ? entry.kept.name : `+ ${entry.added.name}`));
    return { names, removed: removed.map(({ name }) => name) };
  };

  test("have unique names, their own slugs and different colors", () => {
    for (const list of Object.values(categoriesByTrade)) {
      expect(list.map(({ name }) => uniqueCategorySlug(name, []))).toEqual(list.map(({ slug }) => slug));
      expect(new Set(list.map(({ color }) => color)).size).toBe(list.length);
    }
    expect(categoriesByTrade.other).toBe(startingCategories);
  });

  test("follow the trade", () => {
    expect(after(started("other"), "other", "laboratory")).toEqual({
      names: ["+ Lab Methods", "Safety Protocols", "+ Quality", "HR Procedures"],
      removed: ["IT Operations", "Finance"],
    });
  });

  test("stay where a user changed or added them", () => {
    const [people, safety, it, finance] = started("other");
    const existing = [
      { ...people, name: "People" },
      safety,
      { ...it, isUsed: true },
      finance,
      { id: "q", name: "quality", slug: "quality", color: "accent", isUsed: false },
    ] as Parameters<typeof categoriesAfterTradeChange>[0];
    expect(after(existing, "other", "making")).toEqual({
      names: ["+ Production", "Safety Protocols", "People", "IT Operations", "quality"],
      removed: ["Finance"],
    });
  });
});
