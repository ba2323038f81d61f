import { describe, expect, it } from "vitest";
import { fittingCategoryId } from "./fitting-category.ts";

const categories = [
  { id: "hr", name: "HR Procedures" },
  { id: "safety", name: "Safety Protocols" },
  { id: "food", name: "Food Safety and Quality" },
  { id: "cleaning", name: "Cleaning" },
  { id: "bar", name: "Bar" },
];
const sops = [
  { title: "Grind the coffee beans", description: "For the espresso machine.", tags: ["coffee"], categoryId: "bar" },
  { title: "Descale the coffee machine", description: "Every month.", tags: ["coffee"], categoryId: "bar" },
  { title: "Pay an invoice", description: "Within 30 days.", tags: ["money"], categoryId: null },
];

describe("the category of a draft", () => {
  it.each([
    ["has a word of the title in its name", { title: "Clean the coffee machine" }, "cleaning"],
    ["has a tag in its name, and little else", { title: "Lock out a machine", tags: ["safety"] }, "safety"],
    ["has the most words in its name", { title: "Check the safety of food" }, "food"],
    ["holds SOPs like it", { title: "Warm up the coffee machine" }, "bar"],
    ["doesn't fit by a word that any procedure has", { title: "Polish the trophies", tags: ["procedures"] }, null],
    ["isn't that of an SOP without one", { title: "Pay an invoice" }, null],
  ])("%s: %o", (_, draft, id) => {
    expect(fittingCategoryId(draft, categories, sops)).toBe(id);
  });

  it("is a general one, where there is one and no other fits", () => {
    const all = [...categories, { id: "it", name: "IT Operations" }, { id: "other", name: "Other Procedures" }];
    expect(fittingCategoryId({ title: "Polish the trophies" }, all, sops)).toBe("other");
    expect(fittingCategoryId({ title: "Clean the coffee machine" }, all, sops)).toBe("cleaning");
  });

  it("is none without categories", () => {
    expect(fittingCategoryId({ title: "Clean" }, [], sops)).toBeNull();
  });
});
