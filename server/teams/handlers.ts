import type { Actor } from "#core/permissions/actor.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { mayDeleteTeam, mayWriteEveryTeam, mayWriteTeam } from "#core/teams/rules.ts";
import type { Resource } from "#core/api/routes.ts";
import { changedFieldValues } from "../audit/record.ts";
import { assertBelowLimit } from "../companies/most.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, TeamDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { PlainAction, MemberAction, MemberFacts } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { loadTeam, presentTeamMembers, presentTeams } from "./present.ts";
import { assertNameFree, deleteTeam, setTeamRole, leaveTeam, teamNameTakenError, createTeamSlug } from "./store.ts";
import { refusals } from "./refusals.ts";

type TeamChange = { changes: Record<string, unknown> } & (
  | { action: PlainAction }
  | { action: MemberAction; facts: MemberFacts }
);

/** The resources that change for users who join or leave a team, because they then see other SOPs. */
const resourcesOfMembers: readonly Resource[] = ["teams", "stats", "sops", "categories", "me"];

export function teamHandlers(services: Services): Handlers<"teams"> {
  const { db, clock, companies } = services;

  /** Writes a team with its audit row and its event in one transaction. `work` returns null when nothing changes. */
  async function writeTeam(
    call: SignedInCall,
    teamId: string,
    work: (tx: Transaction<Collections>, at: string) => Promise<TeamChange | null>,
  ): Promise<void> {
    const { companyId } = call.identity.actor;
    const at = clock.now();
    await transactionFor(db, companyId, async (tx) => {
      const done = await work(tx, at);
      if (!done) return;
      await recordChange(
        tx,
        call,
        { companyId, at, hears: { resources: resourcesOfMembers } },
        { ...done, entityType: "team", entityId: teamId },
      );
    });
  }

  /**
   * Loads a team for an action.
   * @throws AppError not_found, or forbidden if this rule doesn't allow the action
   */
  async function loadTeamForAction(
    store: Transaction<Collections>,
    actor: Actor,
    id: string,
    rule: typeof mayWriteTeam,
  ): Promise<TeamDocument> {
    const { team, facts } = await loadTeam(store, actor, id);
    if (!rule(actor, facts)) throw new AppError("forbidden");
    return team;
  }

  async function answerTeam(actor: Actor, id: string) {
    const [team] = await presentTeams(db, actor, { _id: id });
    if (!team) throw new AppError("not_found");
    return team;
  }

  return {
    list: ({ identity }) => presentTeams(db, identity.actor, {}),

    async create(call) {
      const { body, identity } = call;
      const { companyId, userId } = identity.actor;
      const ownerId = body.ownerId ?? userId;
      if (ownerId !== userId && !mayWriteEveryTeam(identity.actor)) throw new AppError("forbidden");
      const id = newId();
      const made = writeTeam(call, id, async (tx, at) => {
        const teams = tx.forCompany(companyId).collection("teams");
        const team = { name: body.name, description: body.description || null, ownerId };
        const existing = await teams.find({});
        assertBelowLimit(limits.teams, existing.length, "teams");
        const slug = createTeamSlug(body.name, existing);
        await teams.insertOne({ _id: id, companyId, ...team, slug, createdAt: at, updatedAt: at });
        await setTeamRole(tx, { companyId, teamId: id, userId: ownerId }, "lead", at);
        return { action: "team.create", changes: team };
      });
      await made.catch(throwTeamNameTakenIfDuplicate);
      return answerTeam(identity.actor, id);
    },

    async update(call) {
      const { body, identity, params } = call;
      const { companyId } = identity.actor;
      await writeTeam(call, params.id, async (tx, at) => {
        const before = await loadTeamForAction(tx, identity.actor, params.id, mayWriteTeam);
        const changed = {
          name: body.name ?? before.name,
          description: body.description === undefined ? before.description : body.description || null,
          ownerId: body.ownerId ?? before.ownerId,
        } satisfies Partial<TeamDocument>;
        if (changed.ownerId !== before.ownerId) {
          await loadTeamForAction(tx, identity.actor, params.id, mayDeleteTeam);
          await setTeamRole(tx, { companyId, teamId: params.id, userId: changed.ownerId }, "lead", at);
        }
        const teams = tx.forCompany(companyId).collection("teams");
        if (changed.name !== before.name) assertNameFree(changed.name, await teams.find({ _id: { $ne: params.id } }));
        const changes = changedFieldValues({ ...before }, { ...before, ...changed });
        if (Object.keys(changes).length === 0) return null;
        await teams.updateOne({ _id: params.id }, { $set: { ...changed, updatedAt: at } });
        return { action: "team.update", changes };
      });
      return answerTeam(identity.actor, params.id);
    },

    async remove(call) {
      const { identity, params } = call;
      const { companyId } = identity.actor;
      let lost = { sops: 0, categories: 0 };
      await writeTeam(call, params.id, async (tx) => {
        const { name, description, ownerId } = await loadTeamForAction(tx, identity.actor, params.id, mayDeleteTeam);
        lost = await deleteTeam(tx, companyId, params.id);
        return { action: "team.delete", changes: { name, description, ownerId, ...lost } };
      });
      companies.forget(companyId);
      return { ok: true, ...lost };
    },

    async members({ identity, params }) {
      await loadTeam(db, identity.actor, params.id);
      return presentTeamMembers(db, identity.actor.companyId, params.id);
    },

    async addMember(call) {
      const { body, identity, params } = call;
      const { companyId } = identity.actor;
      const { userId, role } = body;
      await writeTeam(call, params.id, async (tx, at) => {
        await loadTeamForAction(tx, identity.actor, params.id, mayWriteTeam);
        const from = await setTeamRole(tx, { companyId, teamId: params.id, userId }, role, at);
        if (from === undefined) return null;
        return {
          action: from === null ? "team.member_add" : "team.member_change",
          changes: { userId, role: { from, to: role } },
          facts: { userId },
        };
      }).catch(throwBusyIfDuplicate);
      return presentTeamMembers(db, companyId, params.id);
    },

    async removeMember(call) {
      const { identity, params } = call;
      const { companyId } = identity.actor;
      const { id: teamId, userId } = params;
      await writeTeam(call, teamId, async (tx) => {
        const team = await loadTeamForAction(tx, identity.actor, teamId, mayWriteTeam);
        if (team.ownerId === userId) throw new AppError("conflict", refusals.ownerStays());
        if (!(await leaveTeam(tx, { companyId, teamId, userId }))) throw new AppError("not_found");
        return { action: "team.member_remove", changes: { userId }, facts: { userId } };
      });
      return presentTeamMembers(db, companyId, teamId);
    },
  };
}

/** Throws the refusal of a taken name if the slug is a duplicate, because another server has just used the slug. */
function throwTeamNameTakenIfDuplicate(error: unknown): never {
  throw error instanceof DuplicateKeyError ? teamNameTakenError() : error;
}

function throwBusyIfDuplicate(error: unknown): never {
  throw error instanceof DuplicateKeyError ? new AppError("busy") : error;
}
