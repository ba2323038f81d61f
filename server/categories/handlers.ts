import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { repositoryEvent } from "#core/repository/event.ts";
import { slugify } from "#core/repository/names.ts";
import { difference, recordAudit } from "../audit/record.ts";
import type { CategoryDocument, Collections } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import type { Call, Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { countsSeen, type SeenCounts } from "../stats/counts.ts";

type Signed = { identity: Identity } & Pick<Call, "origin">;

export function categoryHandlers(services: Services): Handlers<"categories"> {
  const { db, clock, companies, repositories } = services;

  async function write(
    call: Signed,
    before: CategoryDocument | null,
    after: CategoryDocument,
    at: string,
  ): Promise<void> {
    const { user } = call.identity;
    await db.transaction(async (tx) => {
      const company = tx.forCompany(user.companyId);
      const { _id, companyId: _companyId, ...fields } = after;
      if (before) await company.collection("categories").updateOne({ _id }, { $set: fields });
      else {
        // inside the transaction: two that are made at once stand one after the other
        const [last] = await company.collection("categories").find({}, { sort: { order: -1 }, limit: 1 });
        await company.collection("categories").insertOne({ ...after, order: (last?.order ?? -1) + 1 });
      }
      // the team does not stand in the repository: changing it alone is no event there
      const written = before?.name !== after.name || before.color !== after.color || before.order !== after.order;
      await recordCategories(tx, user, at, written);
      await recordAudit(tx, {
        companyId: user.companyId,
        userId: user._id,
        userName: user.name,
        action: before ? "category.update" : "category.create",
        entityType: "category",
        entityId: _id,
        changes: before
          ? difference({ ...before, updatedAt: "" }, { ...after, updatedAt: "" })
          : { name: after.name, color: after.color },
        at,
        origin: call.origin,
      });
    });
    companies.forget(user.companyId);
    repositories.wake(user.companyId);
  }

  async function assertTeam(companyId: string, teamId: string | null | undefined): Promise<void> {
    if (!teamId) return;
    const team = await db.forCompany(companyId).collection("teams").findOne({ _id: teamId });
    if (!team) throw new AppError("invalid_input", "This team is not known", { teamId: "This team is not known" });
  }

  return {
    async list({ identity }) {
      const [categories, seen] = await Promise.all([
        companies.categories(identity.actor.companyId),
        countsSeen(services, identity.actor),
      ]);
      return categories.map((category) => present(category, seen));
    },

    async create(call) {
      const { body, identity } = call;
      await assertTeam(identity.actor.companyId, body.teamId);
      const at = clock.now();
      const category: CategoryDocument = {
        _id: newId(),
        companyId: identity.actor.companyId,
        name: body.name,
        slug: slugify(body.name),
        color: body.color,
        teamId: body.teamId ?? null,
        order: 0,
        createdAt: at,
        updatedAt: at,
      };
      try {
        await write(call, null, category, at);
      } catch (error) {
        if (error instanceof DuplicateKeyError) {
          throw new AppError("conflict", "There is a category of this name", {
            name: "There is a category of this name",
          });
        }
        throw error;
      }
      return present(category, null);
    },

    async update(call) {
      const { body, identity, params } = call;
      const { companyId } = identity.actor;
      await assertTeam(companyId, body.teamId);
      const before = await db.forCompany(companyId).collection("categories").findOne({ _id: params.id });
      if (!before) throw new AppError("not_found");
      const at = clock.now();
      const after: CategoryDocument = {
        ...before,
        name: body.name ?? before.name,
        color: body.color ?? before.color,
        teamId: body.teamId === undefined ? before.teamId : body.teamId,
        updatedAt: at,
      };
      await write(call, before, after, at);
      return present(after, await countsSeen(services, identity.actor));
    },
  };
}

function present(category: CategoryDocument, seen: SeenCounts | null) {
  const known = ["primary", "secondary", "accent", "warning"] as const;
  return {
    ...category,
    id: category._id,
    color: known.find((color) => color === category.color) ?? "primary",
    count: seen?.byCategory.get(category._id) ?? 0,
  };
}

/** The repository's list of categories after this change, and the browsers' notice of it. */
async function recordCategories(
  tx: Transaction<Collections>,
  user: { _id: string; name: string; companyId: string },
  at: string,
  inRepository: boolean,
) {
  const company = tx.forCompany(user.companyId);
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate(
      { _id: user.companyId },
      { $inc: { eventSeq: 1, ...(inRepository ? { repoSeq: 1 } : {}) } },
      { returnDocument: "after" },
    );
  if (!counters) throw new AppError("not_found");
  if (inRepository) {
    const all = await company.collection("categories").find({}, { sort: { order: 1 } });
    await company.collection("repo_events").insertOne(
      repositoryEvent({
        companyId: user.companyId,
        seq: counters.repoSeq,
        type: "category",
        at,
        authorId: user._id,
        authorName: user.name,
        items: [],
        categories: all.map(({ slug, name, color, order }) => ({ slug, name, color, order })),
      }),
    );
  }
  await company.collection("events").insertOne({
    _id: newId(),
    companyId: user.companyId,
    seq: counters.eventSeq,
    resources: ["categories", "sops"],
    sopId: null,
    at,
  });
}
