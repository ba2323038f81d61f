import { sortInNestedOrder } from "#core/categories/rules.ts";
import { AppError } from "#core/errors.ts";
import { changedFieldValues } from "../audit/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { CategoryDocument, Collections } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { countVisibleSops, type VisibleCounts } from "../stats/counts.ts";
import {
  assertNameFree,
  assertParentAllowed,
  insertCategory,
  categoryNameTakenError,
  recordCategoriesInRepository,
} from "./store.ts";
import { refusals } from "./refusals.ts";

const inRepository: ReadonlySet<string> = new Set(["name", "color", "parentId"]);

export function categoryHandlers(services: Services): Handlers<"categories"> {
  const { db, clock, companies, repositories } = services;

  /**
   * Writes a category with its audit row and its event in one transaction. `work` returns null when nothing changes.
   */
  async function writeCategory<T extends { category: CategoryDocument; changes: Record<string, unknown> } | null>(
    call: SignedInCall,
    action: "category.create" | "category.update",
    at: string,
    work: (tx: Transaction<Collections>) => Promise<T>,
  ): Promise<T> {
    const { user } = call.identity;
    const done = await transactionFor(db, user.companyId, async (tx) => {
      const written = await work(tx);
      if (!written) return written;
      // the repository doesn't have the team and the rules of a category, so changes to only these need no event there
      if (Object.keys(written.changes).some((field) => inRepository.has(field)))
        await recordCategoriesInRepository(tx, user, at);
      await recordChange(
        tx,
        call,
        { companyId: user.companyId, at, hears: { resources: ["categories", "sops"] } },
        { action, entityType: "category", entityId: written.category._id, changes: written.changes },
      );
      return written;
    });
    companies.forget(user.companyId);
    repositories.wake(user.companyId);
    return done;
  }

  async function assertTeamExists(companyId: string, teamId: string | null | undefined): Promise<void> {
    if (!teamId) return;
    const team = await db.forCompany(companyId).collection("teams").findOne({ _id: teamId });
    if (!team) throw new AppError("invalid_input", refusals.unknownTeam(), { teamId: refusals.unknownTeam() });
  }

  return {
    async list({ identity }) {
      const [categories, seen] = await Promise.all([
        companies.categories(identity.actor.companyId),
        countVisibleSops(services, identity.actor),
      ]);
      const counts = countByCategory(categories, seen);
      return sortInNestedOrder(categories.map((category) => ({ ...category, id: category._id }))).map((category) =>
        presentCategory(category, counts),
      );
    },

    async create(call) {
      const { body, identity } = call;
      const { companyId } = identity.actor;
      await assertTeamExists(companyId, body.teamId);
      const at = clock.now();
      const { name, color, parentId = null, teamId = null } = body;
      const rules = rulesAfter(noRules, body);
      const made = writeCategory(call, "category.create", at, async (tx) => ({
        category: await insertCategory(tx, { companyId, name, color, parentId, teamId, ...rules, at }),
        changes: { name, color, ...(parentId !== null && { parentId }), ...nonDefaultRules(rules) },
      }));
      return presentCategory((await made.catch(throwCategoryNameTaken)).category, null);
    },

    async update(call) {
      const { body, identity, params } = call;
      const { companyId } = identity.actor;
      await assertTeamExists(companyId, body.teamId);
      const at = clock.now();
      await writeCategory(call, "category.update", at, async (tx) => {
        const categories = tx.forCompany(companyId).collection("categories");
        const all = await categories.find({});
        const before = all.find(({ _id }) => _id === params.id);
        if (!before) throw new AppError("not_found");
        const changed = {
          name: body.name ?? before.name,
          color: body.color ?? before.color,
          parentId: body.parentId === undefined ? before.parentId : body.parentId,
          teamId: body.teamId === undefined ? before.teamId : body.teamId,
          ...rulesAfter(before, body),
        } satisfies Partial<CategoryDocument>;
        if (changed.name !== before.name)
          assertNameFree(
            all.filter((other) => other !== before),
            changed.name,
          );
        assertParentAllowed(all, before._id, changed.parentId);
        const category = { ...before, ...changed };
        const changes = changedFieldValues({ ...before }, { ...category });
        if (Object.keys(changes).length === 0) return null;
        await categories.updateOne({ _id: params.id }, { $set: { ...changed, updatedAt: at } });
        return { category, changes };
      });
      const after = await companies.categories(companyId);
      const category = after.find(({ _id }) => _id === params.id);
      if (!category) throw new AppError("not_found");
      return presentCategory(category, countByCategory(after, await countVisibleSops(services, identity.actor)));
    },
  };
}

type CategoryRuleFields = Pick<CategoryDocument, "requiresApproval" | "approvalRule" | "reviewMonths">;
const noRules: CategoryRuleFields = { requiresApproval: false, approvalRule: null, reviewMonths: null };

/** Returns the rules after a change. Omitted fields keep their value. */
function rulesAfter(
  before: CategoryRuleFields,
  input: { [Rule in keyof CategoryRuleFields]?: CategoryRuleFields[Rule] | undefined },
): CategoryRuleFields {
  return {
    requiresApproval: input.requiresApproval ?? before.requiresApproval,
    approvalRule: input.approvalRule === undefined ? before.approvalRule : input.approvalRule,
    reviewMonths: input.reviewMonths === undefined ? before.reviewMonths : input.reviewMonths,
  };
}

/** Returns the rules that differ from those of a new category. */
function nonDefaultRules(rules: CategoryRuleFields): Partial<CategoryRuleFields> {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== null && value !== false));
}

/**
 * Rethrows an error. Turns the error of a duplicate slug into a refusal, because another server has just used the slug.
 */
function throwCategoryNameTaken(error: unknown): never {
  throw error instanceof DuplicateKeyError ? categoryNameTakenError() : error;
}

/** Counts the SOPs that the user can see, by category id. An SOP in a child category counts for its parent too. */
function countByCategory(categories: readonly CategoryDocument[], seen: VisibleCounts): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { _id, parentId } of categories) {
    const own = seen.byCategory.get(_id) ?? 0;
    for (const id of [_id, parentId]) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + own);
  }
  return counts;
}

function presentCategory(category: CategoryDocument, counts: ReadonlyMap<string, number> | null) {
  const known = ["primary", "secondary", "accent", "warning"] as const;
  return {
    ...category,
    id: category._id,
    color: known.find((color) => color === category.color) ?? "primary",
    count: counts?.get(category._id) ?? 0,
  };
}
