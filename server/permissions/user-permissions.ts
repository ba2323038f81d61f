/**
 * Changes a single user's permissions: allowed or denied, with an expiry, and never more than the permissions of the
 * administrator who gives them (`docs/spec/permissions.md`).
 */
import type { z } from "zod";
import { actions } from "#core/permissions/actions.ts";
import type { Actor, UserPermission } from "#core/permissions/actor.ts";
import { extentOfAction } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { UserPermissionAsk, UserRights } from "#core/permissions/schema.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";
import type { PlainAction } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { nextPermissionExpiry } from "./permissions-end.ts";
import { isPermissionSettable } from "./role-permissions.ts";
import { refusals } from "./refusals.ts";

type UserCall = SignedInCall & { params: { id: string } };
type ChangedPermissions = {
  permissions: UserPermission[];
  action: PlainAction;
  changes: Record<string, unknown>;
} | null;

/** @param reach `company`: users of the caller's company; `all`: users of all companies (for system administrators) */
export function userPermissionsHandlers(
  services: Services,
  reach: "company" | "all",
): Handlers<"companyPermissions"> & Handlers<"adminPermissions"> {
  const { db, clock, companies } = services;

  async function loadUser(store: Transaction<Collections>, actor: Actor, id: string): Promise<UserDocument> {
    const users = reach === "all" ? store.collection("users") : store.forCompany(actor.companyId).collection("users");
    const user = await users.findOne({ _id: id });
    if (!user || user.status === "deleted") throw new AppError("not_found");
    return user;
  }

  async function changePermissions(
    call: UserCall,
    decide: (user: UserDocument, at: string) => ChangedPermissions,
  ): Promise<UserRights> {
    const { actor } = call.identity;
    const { companyId } = await loadUser(db, actor, call.params.id);
    const at = clock.now();
    const user = await transactionFor(db, companyId, async (tx) => {
      const before = await loadUser(tx, actor, call.params.id);
      const changed = decide(before, at);
      if (!changed) return before;
      const { permissions, action, changes } = changed;
      await tx
        .collection("users")
        .updateOne(
          { _id: before._id },
          { $set: { permissions, rightsEndAt: nextPermissionExpiry(permissions, at), updatedAt: at } },
        );
      await recordChange(
        tx,
        call,
        { companyId, at, hears: { resources: ["users", "me", "sops", "categories", "stats", "approvals"] } },
        { action, entityType: "user", entityId: before._id, changes: { name: before.name, ...changes } },
      );
      return { ...before, permissions };
    });
    return presentPermissions(actor, user, at);
  }

  async function presentPermissions(actor: Actor, user: UserDocument, now: string): Promise<UserRights> {
    const company = await companies.get(user.companyId);
    if (!company) throw new AppError("not_found");
    const givers = user.permissions.map(({ grantedBy }) => grantedBy);
    // the permission can come from a system administrator of another company
    const people = await db
      .collection("users")
      .find({ _id: { $in: [...new Set(givers)] } }, { projection: { name: 1 } });
    const names = new Map(people.map(({ _id, name }) => [_id, name]));
    const [byRole, effective] = [{ ...user, permissions: [] }, user].map((one) => actorOf(one, company, now)) as [
      Actor,
      Actor,
    ];
    return {
      permissions: user.permissions.map(({ grantedBy, ...rest }) => ({
        ...rest,
        grantedBy: { id: grantedBy, name: names.get(grantedBy) ?? "" },
        expired: rest.expiresAt !== null && rest.expiresAt <= now,
      })),
      effective: actions.map((permission) => ({
        permission,
        byRole: extentOfAction(byRole, permission),
        effective: extentOfAction(effective, permission),
        settable: canChangePermissionsOf(actor, user) && isPermissionSettable(actor, user.role, permission),
      })),
    };
  }

  return {
    async list({ identity: { actor }, params }: UserCall) {
      return presentPermissions(actor, await loadUser(db, actor, params.id), clock.now());
    },

    set: (call: UserCall & { body: z.output<typeof UserPermissionAsk> }) =>
      changePermissions(call, (user, at) => {
        const { permission, granted } = call.body;
        assertUserPermissionSettable(call.identity.actor, user, permission);
        const expiresAt = parsePermissionExpiry(call.body.expiresAt ?? null, at);
        const old = user.permissions.find((one) => one.permission === permission);
        if (old?.granted === granted && old.expiresAt === expiresAt) return null;
        if (granted) assertNotShorterThanDenial(expiresAt, old);
        const next = {
          id: newId(),
          permission,
          granted,
          grantedBy: call.identity.actor.userId,
          expiresAt,
          createdAt: at,
        };
        return {
          permissions: [...user.permissions.filter((one) => one !== old), next],
          action: granted ? "user.permission_give" : "user.permission_deny",
          changes: { permission, granted: { from: old?.granted ?? null, to: granted }, expiresAt },
        };
      }),

    clear: (call: UserCall & { params: { permissionId: string } }) =>
      changePermissions(call, (user) => {
        const old = user.permissions.find(({ id }) => id === call.params.permissionId);
        if (!old) throw new AppError("not_found");
        assertUserPermissionSettable(call.identity.actor, user, old.permission);
        return {
          permissions: user.permissions.filter((one) => one !== old),
          action: "user.permission_clear",
          changes: { permission: old.permission, granted: { from: old.granted, to: null } },
        };
      }),
  };
}

/** Says whether the actor can change this user's permissions. Users can't change their own. */
function canChangePermissionsOf(actor: Actor, user: UserDocument): boolean {
  return user._id !== actor.userId;
}

function assertUserPermissionSettable(
  actor: Actor,
  user: UserDocument,
  permission: UserPermission["permission"],
): void {
  if (!canChangePermissionsOf(actor, user)) throw new AppError("forbidden", refusals.ownPermissions());
  if (!isPermissionSettable(actor, user.role, permission)) {
    throw new AppError("forbidden", refusals.notYours(), { permission });
  }
}

/** Refuses a permission that ends before the denial that it replaces, because the denial would end with it. */
function assertNotShorterThanDenial(expiresAt: string | null, old: UserPermission | undefined): void {
  if (!old || old.granted || expiresAt === null) return;
  if (old.expiresAt !== null && old.expiresAt <= expiresAt) return;
  throw new AppError("conflict", refusals.longerDenial());
}

function parsePermissionExpiry(requested: string | null, now: string): string | null {
  if (requested === null) return null;
  const expiresAt = new Date(requested).toISOString();
  if (expiresAt <= now) {
    throw new AppError("invalid_input", refusals.pastDate(), { expiresAt: refusals.pastDate() });
  }
  return expiresAt;
}
