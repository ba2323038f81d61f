import { mayAskAcknowledgement } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementQuery, Acknowledgements } from "#core/acknowledgements/schema.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { loadVisible } from "../sops/edit/change.ts";
import { requestConfirmations } from "./request.ts";
import { confirmVersion } from "./confirm.ts";
import { exportConfirmations } from "./export.ts";
import { countsOf, loadConfirmations, pageOf } from "./confirmations.ts";
import { ownState, openConfirmations } from "./own.ts";

type Shown = Pick<AcknowledgementQuery, "mine" | "state" | "search" | "limit" | "cursor">;

export function acknowledgementHandlers(services: Services): Handlers<"acknowledgements"> {
  const { db, clock } = services;

  async function present(
    { user, actor }: Identity,
    sop: SopDocument,
    query: Shown = { limit: limits.pageSize },
  ): Promise<Acknowledgements> {
    const now = clock.now();
    const mayAsk = mayAskAcknowledgement(actor, sop);
    return {
      sopId: sop._id,
      inForce: sop.published && { version: sop.published.version, contentHash: sop.published.contentHash },
      mine: await ownState(db, { user, actor }, sop, now),
      mayAsk,
      matrix: mayAsk && query.mine === undefined ? await presentConfirmations(sop, query, now) : null,
    };
  }

  async function presentConfirmations(
    sop: SopDocument,
    query: Shown,
    now: string,
  ): Promise<Acknowledgements["matrix"]> {
    const { ask, people } = await loadConfirmations(db, sop, now);
    const named = (kind: string) =>
      (ask?.audience ?? []).flatMap((key) => (key.startsWith(kind) ? key.slice(kind.length) : []));
    return {
      ask: ask && {
        everyone: ask.audience.includes("everyone"),
        userIds: named("user:"),
        teamIds: named("team:"),
        dueDays: ask.dueDays,
        askedBy: { id: ask.askedBy, name: ask.askedByName },
        askedAt: ask.createdAt,
      },
      counts: countsOf(people),
      ...pageOf(people, query),
    };
  }

  return {
    mine: ({ identity }) => openConfirmations(db, identity, clock.now()),

    async get({ identity, params, query }) {
      const { sop } = await loadVisible(services, identity.actor, params.id);
      return present(identity, sop, query);
    },

    async ask(call) {
      return present(call.identity, await requestConfirmations(services, call, call.params.id, call.body));
    },

    async confirm(call) {
      const sop = await confirmVersion(services, call, call.params.id, call.body);
      return present(call.identity, sop, { mine: "true", limit: limits.pageSize });
    },

    async export({ identity, params, origin, ctx }) {
      const { sop } = await loadVisible(services, identity.actor, params.id);
      if (!mayAskAcknowledgement(identity.actor, sop)) throw new AppError("forbidden");
      await exportConfirmations(services, ctx, sop, { user: identity.user, origin });
    },
  };
}
