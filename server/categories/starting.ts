/**
 * Creates the categories of a new company. Until the company has its first SOP, a change of its industry replaces them.
 */
import { categoriesAfterTradeChange, type StartingCategory } from "#core/categories/starting.ts";
import { tradeOfIndustry } from "#core/templates/trades.ts";
import type { CategoryDocument, Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { createCategoryDocument, recordCategoriesInRepository } from "./store.ts";

export function createStartingCategoryDocument(
  { name, slug, color }: StartingCategory,
  { companyId, order, at }: { companyId: string; order: number; at: string },
): CategoryDocument {
  return createCategoryDocument({ companyId, name, slug, color, parentId: null, teamId: null, order, at });
}

interface IndustryChange {
  before: string | null;
  after: string | null;
  at: string;
}

/**
 * Replaces unused default categories when the company's industry changes.
 * @returns the change for the audit log; empty if the categories stay as they are
 */
export async function replaceDefaultCategories(
  tx: Transaction<Collections>,
  user: Pick<UserDocument, "_id" | "name" | "companyId"> & { username?: string },
  { before, after, at }: IndustryChange,
): Promise<Record<string, { from: string; to: string }>> {
  const { companyId } = user;
  const [from, to] = [tradeOfIndustry(before), tradeOfIndustry(after)];
  if (from === to) return {};
  const counters = await tx.collection("counters").findOne({ _id: companyId });
  if (counters?.sopNumber !== 0) return {};
  const categories = tx.forCompany(companyId).collection("categories");
  const all = await categories.find({}, { sort: { order: 1 } });
  const existing = all.map((category) => ({
    ...category,
    id: category._id,
    isUsed:
      category.teamId !== null ||
      category.parentId !== null ||
      category.requiresApproval ||
      category.approvalRule !== null ||
      category.reviewMonths !== null ||
      all.some(({ parentId }) => parentId === category._id),
  }));
  const { removed, list } = categoriesAfterTradeChange(existing, from, to);
  if (removed.length === 0 && list.every((entry) => "kept" in entry)) return {};
  for (const { _id } of removed) await categories.deleteOne({ _id });
  for (const [order, entry] of list.entries()) {
    if ("added" in entry)
      await categories.insertOne(createStartingCategoryDocument(entry.added, { companyId, order, at }));
    else if (entry.kept.order !== order) await categories.updateOne({ _id: entry.kept._id }, { $set: { order } });
  }
  await recordCategoriesInRepository(tx, user, at);
  const nameList = (some: readonly { name: string }[]) => some.map(({ name }) => name).join(", ");
  return {
    categories: {
      from: nameList(all),
      to: nameList(list.map((entry) => ("kept" in entry ? entry.kept : entry.added))),
    },
  };
}
