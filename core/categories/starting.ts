import type { Trade } from "../templates/trades.ts";
import { findCategory } from "./rules.ts";
import { uniqueCategorySlug } from "./slug.ts";

const humanResources = { name: "HR Procedures", slug: "hr-procedures", color: "primary" } as const;
const safety = { name: "Safety Protocols", slug: "safety-protocols", color: "secondary" } as const;
const itOperations = { name: "IT Operations", slug: "it-operations", color: "accent" } as const;
const finance = { name: "Finance", slug: "finance", color: "warning" } as const;
const production = { name: "Production", slug: "production", color: "accent" } as const;
const quality = { name: "Quality", slug: "quality", color: "warning" } as const;

export interface StartingCategory {
  name: string;
  slug: string;
  color: "primary" | "secondary" | "accent" | "warning";
}

/** The categories of a new company whose trade is unknown (`docs/spec/entities.md`). */
export const startingCategories = [humanResources, safety, itOperations, finance] as const;

/** The first categories of a new company by trade; those of daily work come first. */
export const categoriesByTrade: Record<Trade, readonly StartingCategory[]> = {
  food: [
    production,
    { name: "Food Safety", slug: "food-safety", color: "secondary" },
    { name: "Cleaning", slug: "cleaning", color: "warning" },
    humanResources,
  ],
  hospitality: [{ name: "Service", slug: "service", color: "accent" }, safety, finance, humanResources],
  making: [production, safety, quality, humanResources],
  care: [
    { name: "Care", slug: "care", color: "accent" },
    safety,
    { name: "Hygiene", slug: "hygiene", color: "warning" },
    humanResources,
  ],
  laboratory: [{ name: "Lab Methods", slug: "lab-methods", color: "accent" }, safety, quality, humanResources],
  it: [
    itOperations,
    { name: "Information Security", slug: "information-security", color: "secondary" },
    { name: "Support", slug: "support", color: "warning" },
    humanResources,
  ],
  office: [
    finance,
    { name: "Customer Service", slug: "customer-service", color: "secondary" },
    itOperations,
    humanResources,
  ],
  other: startingCategories,
};

interface ExistingCategory {
  id: string;
  name: string;
  slug: string;
  color: string;
  /** True for a category with a team or rules, or with a category inside or around it. */
  isUsed: boolean;
}

interface TradeChange<Category> {
  removed: Category[];
  /** All categories in their new order. */
  list: ({ kept: Category } | { added: StartingCategory })[];
}

/**
 * Changes the trade of a company without SOPs: starting categories that no user changed are replaced by those of the
 * new trade. Other categories stay, after the new ones.
 *
 * @param existing in their present order
 */
export function categoriesAfterTradeChange<Category extends ExistingCategory>(
  existing: readonly Category[],
  before: Trade,
  after: Trade,
): TradeChange<Category> {
  const [old, wanted] = [categoriesByTrade[before], categoriesByTrade[after]];
  const hasSlug = (list: readonly StartingCategory[], slug: string) => list.some((one) => one.slug === slug);
  const isStarting = ({ name, slug, color, isUsed }: Category) =>
    !isUsed && old.some((one) => one.slug === slug && one.name === name && one.color === color);
  const removed = existing.filter((category) => isStarting(category) && !hasSlug(wanted, category.slug));
  const stay = existing.filter((category) => !removed.includes(category));
  const started = wanted.flatMap((category) => {
    const kept = stay.find((one) => one.slug === category.slug && isStarting(one));
    if (kept) return { kept };
    // a user changed or renamed this category, so it is not added again
    if (hasSlug(old, category.slug) || findCategory(stay, category.name)) return [];
    return { added: { ...category, slug: uniqueCategorySlug(category.name, stay) } };
  });
  const others = stay.filter((one) => !started.some((entry) => "kept" in entry && entry.kept === one));
  return { removed, list: [...started, ...others.map((kept) => ({ kept }))] };
}
