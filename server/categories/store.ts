/** Writes categories inside a transaction, for requests and imports. */
import { findCategory, isNamedLikeUncategorized, parentProblem } from "#core/categories/rules.ts";
import { uniqueCategorySlug } from "#core/categories/slug.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { createRepoEvent } from "#core/repository/event.ts";
import { printedName } from "#core/users/printed-name.ts";
import { assertBelowLimit } from "../companies/most.ts";
import type { CategoryDocument, Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

type CategoryEditor = Pick<UserDocument, "_id" | "name" | "companyId"> & { username?: string };

export interface NewCategory {
  companyId: string;
  name: string;
  color: string;
  parentId: string | null;
  teamId: string | null;
  requiresApproval?: boolean;
  approvalRule?: ApprovalRule | null;
  reviewMonths?: number | null;
  at: string;
}

/**
 * Adds a category at the end of the list, with an unused slug.
 * @throws AppError conflict when the name is taken, invalid_input for the parent or the name, limit_reached
 */
export async function insertCategory(tx: Transaction<Collections>, added: NewCategory): Promise<CategoryDocument> {
  const { companyId, name, parentId } = added;
  const categories = tx.forCompany(companyId).collection("categories");
  const existing = await categories.find({}, { sort: { order: 1 } });
  assertNameFree(existing, name);
  assertParentAllowed(existing, null, parentId);
  assertBelowLimit(limits.categories, existing.length, "categories");
  const order = (existing.at(-1)?.order ?? -1) + 1;
  const category = createCategoryDocument({ ...added, slug: uniqueCategorySlug(name, existing), order });
  await categories.insertOne(category);
  return category;
}

/** Returns the document of a category, with the default rules unless others are given. */
export function createCategoryDocument({
  at,
  requiresApproval = false,
  approvalRule = null,
  reviewMonths = null,
  ...named
}: NewCategory & { slug: string; order: number }): CategoryDocument {
  return { _id: newId(), ...named, requiresApproval, approvalRule, reviewMonths, createdAt: at, updatedAt: at };
}

/** Returns the fields that the rules about nested categories need. */
export function nestingFieldsOf(categories: readonly CategoryDocument[]) {
  return categories.map(({ _id, parentId }) => ({ id: _id, parentId }));
}

/** Checks the parent of a category. @throws AppError invalid_input */
export function assertParentAllowed(
  categories: readonly CategoryDocument[],
  id: string | null,
  parentId: string | null,
): void {
  const problem = parentProblem(nestingFieldsOf(categories), id, parentId);
  if (problem !== null) throw new AppError("invalid_input", problem, { parentId: problem });
}

/**
 * Checks that no category has the name.
 * @throws AppError conflict; invalid_input for the name of the folder of SOPs without a category
 */
export function assertNameFree(categories: readonly CategoryDocument[], name: string): void {
  if (isNamedLikeUncategorized(name)) {
    throw new AppError("invalid_input", refusals.uncategorized(), { name: refusals.uncategorized() });
  }
  if (findCategory(categories, name)) throw categoryNameTakenError();
}

export function categoryNameTakenError(): AppError {
  return new AppError("conflict", refusals.nameTaken(), { name: refusals.nameTaken() });
}

/** Records the present list of categories as an event of the repository. */
export async function recordCategoriesInRepository(
  tx: Transaction<Collections>,
  person: CategoryEditor,
  at: string,
): Promise<void> {
  const company = tx.forCompany(person.companyId);
  const all = await company.collection("categories").find({}, { sort: { order: 1 } });
  const slugs = new Map(all.map(({ _id, slug }) => [_id, slug]));
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: person.companyId }, { $inc: { repoSeq: 1 } }, { returnDocument: "after" });
  if (!counters) throw new AppError("damaged");
  await company.collection("repo_events").insertOne(
    createRepoEvent({
      companyId: person.companyId,
      seq: counters.repoSeq,
      type: "category",
      at,
      authorId: person._id,
      authorName: printedName(person),
      items: [],
      categories: all.map(({ slug, name, color, order, parentId }) => {
        const parent = slugs.get(parentId ?? "");
        return { slug, name, color, order, ...(parent !== undefined && { parent }) };
      }),
    }),
  );
}
