/**
 * Stores a company's changes to its roles. They never affect company administrators, and never exceed the permissions
 * of the user who makes them.
 */
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { actions, type PermittedAction } from "#core/permissions/actions.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { extentOfAction } from "#core/permissions/can.ts";
import { resolveActor } from "#core/permissions/resolve.ts";
import { assignableRoles, roles, type Role } from "#core/permissions/roles.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import type { RoleRight } from "#core/permissions/schema.ts";
import { transactionFor } from "../database/turns.ts";
import type { CompanyDocument } from "../database/documents.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { recordChange } from "../effects/record.ts";
import { refusals } from "./refusals.ts";

type Overrides = CompanySettings["roleOverrides"];

export function roleHandlers({ db, clock, companies }: Services): Handlers<"roles"> {
  return {
    async list({ identity: { actor } }) {
      const company = await companies.get(actor.companyId);
      if (!company) throw new AppError("not_found");
      return presentRolePermissions(actor, company);
    },

    async set(call) {
      const { actor } = call.identity;
      const { role, permission, granted } = call.body;
      assertRolePermissionSettable(actor, role, permission);
      const at = clock.now();
      const changed = await transactionFor(db, actor.companyId, async (tx) => {
        const company = await tx.collection("companies").findOne({ _id: actor.companyId });
        if (!company) throw new AppError("not_found");
        const before = company.settings.roleOverrides;
        const from = before[role]?.[permission] ?? null;
        if (from === granted) return company;
        const after = overridesAfterChange(before, role, permission, granted);
        await tx
          .collection("companies")
          .updateOne({ _id: actor.companyId }, { $set: { "settings.roleOverrides": after, updatedAt: at } });
        await recordChange(
          tx,
          call,
          {
            companyId: actor.companyId,
            at,
            hears: { resources: ["roles", "me", "sops", "categories", "stats", "approvals"] },
          },
          {
            action: "role.permission",
            entityType: "company",
            entityId: actor.companyId,
            changes: { role, permission, granted: { from, to: granted } },
          },
        );
        return { ...company, settings: { ...company.settings, roleOverrides: after } };
      });
      companies.forget(actor.companyId);
      return presentRolePermissions(actor, changed);
    },
  };
}

/**
 * Says whether this actor can allow or deny this action to users of this role. The actor must be able to assign the
 * role, and to do the action everywhere.
 */
export function isPermissionSettable(actor: Actor, role: Role, permission: PermittedAction): boolean {
  return (
    assignableRoles(actor.role).includes(role) &&
    permission !== "companies.manage" &&
    extentOfAction(actor, permission) === "all"
  );
}

/**
 * Says whether this actor can change this permission of the role itself. No one can change the roles of administrators,
 * because that could lock the whole company out.
 */
function isRolePermissionSettable(actor: Actor, role: Role, permission: PermittedAction): boolean {
  return role !== "system_admin" && role !== "company_admin" && isPermissionSettable(actor, role, permission);
}

function assertRolePermissionSettable(actor: Actor, role: Role, permission: PermittedAction): void {
  if (!isRolePermissionSettable(actor, role, permission)) {
    throw new AppError("forbidden", refusals.fixedPermission(), { role, permission });
  }
}

/** Returns the overrides after a change. @param granted null: the permission has its default again */
export function overridesAfterChange(
  before: Overrides,
  role: Role,
  permission: PermittedAction,
  granted: boolean | null,
): Overrides {
  const { [permission]: _old, ...rest } = before[role] ?? {};
  return { ...before, [role]: granted === null ? rest : { ...rest, [permission]: granted } };
}

function presentRolePermissions(actor: Actor, company: Pick<CompanyDocument, "settings" | "createdAt">): RoleRight[] {
  const overrides = company.settings.roleOverrides;
  const somebody = { userId: "", companyId: actor.companyId, teamIds: [], permissions: [] };
  return roles.flatMap((role) => {
    const plain = resolveActor({ ...somebody, role }, { roleOverrides: {} }, "");
    const changed = resolveActor({ ...somebody, role }, { roleOverrides: overrides }, "");
    return actions.map((permission) => ({
      id: `${role}:${permission}`,
      role,
      permission,
      resource: permission.slice(0, permission.indexOf(".")),
      description: actionDescriptions[permission],
      createdAt: company.createdAt,
      default: extentOfAction(plain, permission),
      override: overrides[role]?.[permission] ?? null,
      effective: extentOfAction(changed, permission),
      settable: isRolePermissionSettable(actor, role, permission),
    }));
  });
}
