import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { transactionFor } from "../database/turns.ts";
import type { SuggestionDocument } from "../database/documents.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { RecentRecorder } from "../favorites/recorder.ts";
import { assertCategory } from "../sops/edit/create.ts";
import { presentSuggestions } from "./seen.ts";
import { changeSuggestionStatus } from "./set-status.ts";
import { suggestWithAi } from "./suggest-with-ai.ts";
import { refusals } from "./refusals.ts";

/**
 * The maximum number of suggestions of a user. Dismissed suggestions count, because they stay stored so that they
 * aren't suggested again.
 */
const keptAtMost = 1_000;
const listedAtMost = 200;

export function suggestionHandlers(services: Services, recent: RecentRecorder): Handlers<"suggestions"> {
  const { db, clock } = services;
  const presentAll = async (call: Parameters<Handlers<"suggestions">["list"]>[0], documents: SuggestionDocument[]) =>
    presentSuggestions(services, call.identity.actor, documents);

  return {
    async suggest(call) {
      const found = await suggestWithAi(services, call, call.body.teamContext);
      return presentSuggestions(services, call.identity.actor, found);
    },

    async list(call) {
      const { companyId, userId } = call.identity.actor;
      const { status } = call.query;
      const found = await db
        .forCompany(companyId)
        .collection("ai_suggestions")
        .find(status === "all" ? { userId } : { userId, status }, {
          sort: { createdAt: -1, _id: -1 },
          limit: listedAtMost,
        });
      return presentAll(call, found);
    },

    async create(call) {
      const { identity, body } = call;
      const { companyId, userId } = identity.actor;
      await assertCategory(services, companyId, body.categoryId);
      const _id = newId();
      const at = clock.now();
      const made: SuggestionDocument = {
        _id,
        companyId,
        userId,
        key: `own:${_id}`,
        title: body.title,
        description: body.description,
        content: body.content ?? null,
        categoryId: body.categoryId ?? null,
        reasoning: body.reasoning,
        evidence: [],
        similarTo: [],
        named: [],
        source: "user",
        template: null,
        status: "pending",
        sopId: null,
        createdAt: at,
      };
      await transactionFor(db, companyId, async (tx) => {
        const store = tx.forCompany(companyId).collection("ai_suggestions");
        if ((await store.countDocuments({ userId })) >= keptAtMost)
          throw new AppError("limit_reached", refusals.tooMany({ keptAtMost }));
        await store.insertOne(made);
        await recordChange(
          tx,
          call,
          { companyId, at, hears: { resources: ["suggestions", "stats"], to: [userId] } },
          { action: "suggestion.create", entityType: "suggestion", entityId: _id, changes: {} },
        );
      });
      const [shown] = await presentSuggestions(services, identity.actor, [made]);
      if (!shown) throw new AppError("not_found");
      return shown;
    },

    async setStatus(call) {
      const { actor } = call.identity;
      const { suggestion, draft } = await changeSuggestionStatus(services, call, call.params.id, call.body.status);
      if (draft) recent.recordUse(draft, actor.userId);
      const [shown] = await presentSuggestions(services, actor, [suggestion]);
      if (!shown) throw new AppError("not_found");
      return shown;
    },
  };
}
