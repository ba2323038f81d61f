/** Changes who has access to an SOP, and whether it is restricted. Git has neither record (`docs/decisions/`). */
import type { SopAction } from "#core/permissions/actions.ts";
import type { Grant, GrantLevel } from "#core/permissions/actor.ts";
import { can, grantableLevels } from "#core/permissions/can.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { rolesThatRead } from "#core/permissions/readers.ts";
import type { SopAccess } from "#core/permissions/schema.ts";
import { runInTurn, transactionFor } from "../database/turns.ts";
import type { Collections, SopDocument } from "../database/documents.ts";
import type { Transaction, Database } from "../database/port.ts";
import { changeFactsForEvent } from "../events/recipients.ts";
import type { Call, Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { assertVersionMatches } from "../sops/edit/change.ts";
import { loadSopForAction } from "../sops/view/load.ts";
import { countDelta } from "../sops/edit/counts.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { granteeKeyOf, withGrantsReplaced, type Grantee } from "#core/permissions/grantees.ts";
import { refusals } from "./refusals.ts";

type SopAccessCall = SignedInCall & Pick<Call, "ifMatch"> & { params: { id: string } };

interface AccessChange {
  after: SopDocument;
  action: "sop.grant" | "sop.revoke" | "sop.restrict" | "sop.unrestrict";
  changes: Record<string, unknown>;
  /** The user or team to share with. It must still exist when the change is stored. */
  grantee?: Grantee;
}

const attempts = 5;
const grantsAtMost = 200;

export function sopAccessHandlers(
  services: Services,
): Pick<Handlers<"sops">, "permissions" | "grant" | "revoke" | "restrict"> {
  const { db, clock } = services;

  /**
   * Reads the SOP, decides and writes. Starts over if another write changed the SOP since the read. If `decide` returns
   * null, nothing changes.
   * @returns the SOP after the change
   */
  function changeAccess(
    call: SopAccessCall,
    action: SopAction,
    decide: (sop: SopDocument, at: string) => AccessChange | null,
  ): Promise<SopDocument> {
    const { actor } = call.identity;
    return runInTurn(call.params.id, async () => {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const at = clock.now();
        const before = await loadSopForAction(services, actor, call.params.id, action);
        assertVersionMatches(before, call.ifMatch);
        const decided = decide(before, at);
        if (!decided) return before;
        if (await storeAccess(call, before, decided, at)) return { ...decided.after, revision: before.revision + 1 };
      }
      throw new AppError("busy");
    });
  }

  function storeAccess(
    call: SopAccessCall,
    before: SopDocument,
    { after, action, changes, grantee }: AccessChange,
    at: string,
  ): Promise<boolean> {
    return transactionFor(db, before.companyId, async (tx) => {
      if (grantee) await assertGranteeExists(tx, before.companyId, grantee);
      const { grants, grantees, restricted } = after;
      const stored = await tx
        .forCompany(before.companyId)
        .collection("sops")
        .updateOne(
          { _id: before._id, revision: before.revision },
          { $set: { grants, grantees, restricted, revision: before.revision + 1 } },
        );
      if (stored.matchedCount === 0) return false;
      await recordChange(
        tx,
        call,
        {
          companyId: before.companyId,
          at,
          counts: countDelta(before, after),
          hears: {
            resources: ["sops", "categories", "stats"], // in a restricted SOP, only users with access see the published version
            about: [changeFactsForEvent(before, after, before.restricted || restricted)],
          },
        },
        { action, entityType: "sop", entityId: before._id, changes },
      );
      return true;
    });
  }

  async function presentAccess(call: SopAccessCall, sop: SopDocument): Promise<SopAccess> {
    const { actor } = call.identity;
    const names = await loadNamesOfPeopleAndTeams(db, actor.companyId, {
      users: sop.grants.flatMap(({ userId, grantedBy }) => (userId === null ? [grantedBy] : [userId, grantedBy])),
      teams: sop.grants.flatMap(({ teamId }) => (teamId === null ? [] : [teamId])),
    });
    const company = await db.collection("companies").findOne({ _id: sop.companyId });
    return {
      restricted: sop.restricted,
      mayRestrict: can(actor, "sop.restrict", sop),
      givable: grantableLevels(actor, sop),
      permissions: sop.grants.map(({ id, userId, teamId, permission, grantedBy, grantedAt }) => ({
        id,
        userId,
        teamId,
        name: names.get(userId ?? teamId ?? "") ?? "",
        permission,
        grantedBy: { id: grantedBy, name: names.get(grantedBy) ?? "" },
        grantedAt,
      })),
      readers: rolesThatRead(sop, company?.settings ?? defaultSettings),
    };
  }

  return {
    async permissions(call) {
      return presentAccess(call, await loadSopForAction(services, call.identity.actor, call.params.id, "sop.share"));
    },

    async grant(call) {
      const { actor } = call.identity;
      const who: Grantee = { userId: call.body.userId ?? null, teamId: call.body.teamId ?? null };
      const { permission } = call.body;
      const sop = await changeAccess(call, "sop.share", (before, at) => {
        assertGrantable(grantableLevels(actor, before), permission);
        return accessChangeForGrant(before, { ...who, permission, grantedBy: actor.userId, grantedAt: at });
      });
      return presentAccess(call, sop);
    },

    async revoke(call) {
      const sop = await changeAccess(call, "sop.share", (before) => {
        const gone = before.grants.find(({ id }) => id === call.params.permissionId);
        if (!gone) throw new AppError("not_found");
        return {
          after: withGrantsReplaced(
            before,
            before.grants.filter((grant) => grant !== gone),
          ),
          action: "sop.revoke",
          changes: { [granteeKeyOf(gone)]: { from: gone.permission, to: null } },
        };
      });
      return presentAccess(call, sop);
    },

    async restrict(call) {
      const { restricted } = call.body;
      const sop = await changeAccess(call, "sop.restrict", (before) =>
        before.restricted === restricted
          ? null
          : {
              after: { ...before, restricted },
              action: restricted ? "sop.restrict" : "sop.unrestrict",
              changes: { restricted: { from: before.restricted, to: restricted } },
            },
      );
      return presentAccess(call, sop);
    },
  };
}

/** @throws AppError invalid_input unless the user is active in this company, or the team exists in it */
async function assertGranteeExists(
  store: Transaction<Collections>,
  companyId: string,
  { userId, teamId }: Grantee,
): Promise<void> {
  const company = store.forCompany(companyId);
  const found =
    userId === null
      ? await company.collection("teams").findOne({ _id: teamId })
      : await company.collection("users").findOne({ _id: userId, status: "active" });
  if (found) return;
  const [field, message] =
    userId === null ? (["teamId", refusals.unknownTeam()] as const) : (["userId", refusals.inactiveUser()] as const);
  throw new AppError("invalid_input", message, { [field]: message });
}

function assertGrantable(givable: readonly GrantLevel[], permission: GrantLevel): void {
  if (!givable.includes(permission)) {
    throw new AppError("forbidden", refusals.moreThanOwn(), { permission });
  }
}

/**
 * Returns the change that gives a user or team this access instead of its present access; null if it is the same
 * access.
 */
function accessChangeForGrant(before: SopDocument, grant: Omit<Grant, "id">): AccessChange | null {
  const key = granteeKeyOf(grant);
  const known = before.grants.find((one) => granteeKeyOf(one) === key);
  if (known?.permission === grant.permission) return null;
  if (!known && before.grants.length >= grantsAtMost) {
    throw new AppError("conflict", refusals.tooManyShares({ grantsAtMost }));
  }
  const next = { ...grant, id: known?.id ?? newId() };
  const grants = known ? before.grants.map((one) => (one === known ? next : one)) : [...before.grants, next];
  return {
    after: withGrantsReplaced(before, grants),
    action: "sop.grant",
    grantee: grant,
    changes: { [key]: { from: known?.permission ?? null, to: grant.permission } },
  };
}

/** Loads the names of people and teams, by id. */
async function loadNamesOfPeopleAndTeams(
  db: Database<Collections>,
  companyId: string,
  ids: { users?: readonly string[]; teams?: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const company = db.forCompany(companyId);
  const readNames = async (collection: "users" | "teams", wanted: readonly string[] = []) =>
    wanted.length === 0
      ? []
      : company.collection(collection).find({ _id: { $in: [...new Set(wanted)] } }, { projection: { name: 1 } });
  const found = await Promise.all([readNames("users", ids.users), readNames("teams", ids.teams)]);
  return new Map(found.flat().map(({ _id, name }) => [_id, name]));
}
