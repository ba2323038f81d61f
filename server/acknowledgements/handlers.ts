import { mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementQuery, Acknowledgements, AcknowledgementPerson } from "#core/acknowledgements/schema.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { SopDocument, AcknowledgementDocument, UserDocument } from "../database/documents.ts";
import type { Handlers, Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { requestConfirmations } from "./request.ts";
import { confirmVersion } from "./confirm.ts";
import { confirmationCounts, loadConfirmations, confirmationsPage, type Confirmations } from "./confirmations.ts";
import { exportOverview, loadOverview, presentOverview } from "./overview.ts";
import { countFutureReaders } from "./audience.ts";
import { remindReaders } from "./remind.ts";
import { loadOwnConfirmationState, loadOpenConfirmations } from "./own.ts";
import type { Context } from "koa";
import { csvLine, type CsvCell } from "#core/csv/write.ts";
import { printedName } from "#core/users/printed-name.ts";
import { recordAudit } from "../audit/record.ts";

const columns = ["person", "userId", "state", "dueBy", "version", "confirmedAt", "contentHash"];

/**
 * Exports the confirmations as CSV: a line for each confirmation, and for each reader who still has to confirm. Writes
 * an audit entry.
 */
async function exportConfirmations(
  { db, clock }: Pick<Services, "db" | "clock">,
  ctx: Context,
  sop: SopDocument,
  by: { user: UserDocument; origin: Origin },
): Promise<void> {
  const at = clock.now();
  const confirmations = await loadConfirmations(db, sop, at);
  await recordAudit(db, {
    companyId: sop.companyId,
    userId: by.user._id,
    userName: printedName(by.user),
    action: "sop.acknowledgement_export",
    entityType: "sop",
    entityId: sop._id,
    changes: { format: "csv", version: sop.published?.version ?? null },
    at,
    origin: by.origin,
  });
  ctx.attachment(`${sop.label}-acknowledgements-${at.slice(0, 10)}.csv`);
  ctx.type = "text/csv; charset=utf-8";
  ctx.status = 200;
  ctx.body = [columns, ...confirmationRows(confirmations)].map(csvLine).join("");
}

/**
 * Returns the lines of the CSV file. A confirmation is `earlier` if a newer confirmation or a major change replaced it.
 */
function confirmationRows({ people, confirmations }: Confirmations): CsvCell[][] {
  const byUser = Map.groupBy(confirmations, ({ userId }) => userId);
  return people.flatMap((person) => {
    const { user, state, dueBy } = person;
    const own = byUser.get(user.id) ?? [];
    const owes = state === "open" || state === "overdue";
    return [
      ...(owes ? [[printedName(user), user.id, state, dueBy, null, null, null]] : []),
      ...own.map((one, index) => confirmationLine(person, one, owes || index > 0 ? "earlier" : state)),
    ];
  });
}

function confirmationLine(person: AcknowledgementPerson, one: AcknowledgementDocument, state: string): CsvCell[] {
  return [
    printedName({ name: one.userName, username: one.username }),
    person.user.id,
    state,
    null,
    one.version,
    one.at,
    one.contentHash,
  ];
}

type ConfirmationsPageQuery = Pick<AcknowledgementQuery, "mine" | "readers" | "state" | "search" | "limit" | "cursor">;

export function acknowledgementHandlers(services: Services): Handlers<"acknowledgements"> {
  const { db, clock } = services;

  async function presentAcknowledgements(
    { user, actor }: Identity,
    sop: SopDocument,
    query: ConfirmationsPageQuery = { limit: limits.pageSize },
  ): Promise<Acknowledgements> {
    const now = clock.now();
    const mayAsk = mayRequestAcknowledgements(actor, sop);
    return {
      sopId: sop._id,
      inForce: sop.published && { version: sop.published.version, contentHash: sop.published.contentHash },
      mine: await loadOwnConfirmationState(db, { user, actor }, sop, now),
      mayAsk,
      matrix: mayAsk && query.mine === undefined ? await presentConfirmations(sop, query, now) : null,
      ...(mayAsk && query.readers !== undefined && { readers: await countFutureReaders(db, sop, now) }),
    };
  }

  async function presentConfirmations(
    sop: SopDocument,
    query: ConfirmationsPageQuery,
    now: string,
  ): Promise<Acknowledgements["matrix"]> {
    const { ask, people } = await loadConfirmations(db, sop, now);
    const audienceIds = (kind: string) =>
      (ask?.audience ?? []).flatMap((key) => (key.startsWith(kind) ? key.slice(kind.length) : []));
    return {
      ask: ask && {
        everyone: ask.audience.includes("everyone"),
        userIds: audienceIds("user:"),
        teamIds: audienceIds("team:"),
        dueDays: ask.dueDays,
        askedBy: { id: ask.askedBy, name: ask.askedByName },
        askedAt: ask.createdAt,
      },
      counts: confirmationCounts(people),
      ...confirmationsPage(people, query),
    };
  }

  return {
    mine: ({ identity }) => loadOpenConfirmations(db, identity, clock.now()),

    async overview({ identity, query }) {
      return presentOverview(db, identity.actor, await loadOverview(db, identity.actor, query, clock.now()), query);
    },

    exportOverview: ({ identity, query, origin, ctx }) => exportOverview(services, ctx, identity, query, origin),

    remind: (call) => remindReaders(services, call, call.body),

    async get({ identity, params, query }) {
      const { sop } = await loadVisibleSop(services, identity.actor, params.id);
      return presentAcknowledgements(identity, sop, query);
    },

    async ask(call) {
      return presentAcknowledgements(
        call.identity,
        await requestConfirmations(services, call, call.params.id, call.body),
      );
    },

    async confirm(call) {
      const sop = await confirmVersion(services, call, call.params.id, call.body);
      return presentAcknowledgements(call.identity, sop, { mine: "true", limit: limits.pageSize });
    },

    async export({ identity, params, origin, ctx }) {
      const { sop } = await loadVisibleSop(services, identity.actor, params.id);
      if (!mayRequestAcknowledgements(identity.actor, sop)) throw new AppError("forbidden");
      await exportConfirmations(services, ctx, sop, { user: identity.user, origin });
    },
  };
}
