import { auditReadScope } from "#core/audit/reach.ts";
import type { AuditQuery, AuditState } from "#core/audit/schema.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadAllSops, visibleVersion } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { AuditDocument } from "../database/documents.ts";
import type { Handlers, Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { exportAudit } from "./export.ts";
import { listAudit, presentAudit, type AuditView } from "./list.ts";
import { loadEntityNameLookup } from "./names.ts";
import { createChangeHider } from "./readable.ts";
import { recordAudit } from "./record.ts";
import type { z } from "zod";
import { chainGenesisOf, loadChainHead } from "./chain.ts";
import { loadLastReadableCheckpoint } from "./checkpoints.ts";
import { loadLastVerification } from "./verify-daily.ts";
import { refusals } from "./refusals.ts";

export function auditHandlers(services: Services): Handlers<"audit"> {
  const { db, clock } = services;

  async function loadAuditPage(actor: Actor, companyId: string, query: AuditQuery, view: AuditView) {
    const { rows, nextCursor } = await listAudit(db.forCompany(companyId), query, view);
    const nameOf = await loadEntityNameLookup(services, companyId, companyId === actor.companyId ? actor : null, rows);
    return {
      data: rows.map((row) => presentAudit(row, nameOf(row))),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  }

  /**
   * Records in a company's log that a system administrator has read that log.
   * @throws AppError not_found for an unknown company
   */
  async function recordReadFromOutside(
    companyId: string,
    { user }: Identity,
    origin: Origin,
    filters: object,
  ): Promise<void> {
    if (!(await db.collection("companies").findOne({ _id: companyId }))) throw new AppError("not_found");
    await recordAudit(services.db, {
      companyId,
      userId: user._id,
      userName: printedName(user),
      action: "audit.read_from_outside",
      entityType: "audit",
      entityId: null,
      changes: { ...filters },
      at: clock.now(),
      origin,
    });
  }

  return {
    async list({ query, identity: { actor } }) {
      const reach = auditReadScope(actor);
      if (reach === "none") throw new AppError("forbidden");
      const keep = reach === "teams" ? await createTeamFilter(services, actor) : undefined;
      return loadAuditPage(actor, actor.companyId, query, { keep, show: createChangeHider(services, actor) });
    },

    state: ({ identity }) => loadAuditState(services, identity.actor.companyId),

    async export({ query, ctx, identity, origin }) {
      const { actor, user } = identity;
      if (query.format === "ndjson" && !mayReadAllSops(actor)) throw new AppError("forbidden", refusals.partOfLog());
      const show = createChangeHider(services, actor);
      await exportAudit(services, ctx, actor.companyId, query, { user, origin, show, actor });
    },

    async adminList({ query: { companyId, ...query }, identity, origin }) {
      const { limit: _, cursor: __, ...filters } = query;
      await recordReadFromOutside(companyId, identity, origin, filters);
      return loadAuditPage(identity.actor, companyId, query, {});
    },

    async adminExport({ query: { companyId, ...query }, ctx, identity, origin }) {
      if (!(await db.collection("companies").findOne({ _id: companyId }))) throw new AppError("not_found");
      await exportAudit(services, ctx, companyId, query, { user: identity.user, origin });
    },
  };
}

/**
 * Creates a filter for the audit rows that a team lead can read: rows about SOPs of the actor's teams whose latest
 * version the actor can read.
 */
async function createTeamFilter({ db }: Services, actor: Actor): Promise<(row: AuditDocument) => boolean> {
  const sops = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ teamId: { $in: [...actor.teamIds] } });
  const readable = new Set(sops.filter((sop) => visibleVersion(actor, sop) === "latest").map(({ _id }) => _id));
  return ({ entityType, entityId }) => entityType === "sop" && entityId !== null && readable.has(entityId);
}

/** Loads the state of the company's whole log, for administrators. */
async function loadAuditState({ db, keys }: Services, companyId: string): Promise<z.input<typeof AuditState>> {
  const store = db.forCompany(companyId);
  const [head, waiting, checkpoint, verification] = await Promise.all([
    loadChainHead(store, chainGenesisOf(companyId, null)),
    store.collection("audit_logs").countDocuments({ pending: true }),
    loadLastReadableCheckpoint(store),
    loadLastVerification(db, companyId),
  ]);
  const { kid, publicKeyPem } = keys.signing();
  return { seq: head.seq, waiting, checkpoint, key: { kid, publicKeyPem }, verification };
}
