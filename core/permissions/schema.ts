/** Permissions beyond the roles: on one SOP, for one user, for a role in one company (`docs/spec/permissions.md`). */
import { z } from "zod";
import { actions } from "./actions.ts";
import { grantLevels } from "./actor.ts";
import { roles } from "./roles.ts";
import { Time, sentenceError } from "../contract/parts.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.permissions.schema", {
  grantee: "Name a user or a team",
});

const id = z.string().min(1).max(100);

export const SopGrant = z
  .object({
    id: z.string(),
    userId: z.string().nullable(),
    teamId: z.string().nullable(),
    /** The name of the user or the team. */
    name: z.string(),
    permission: z.enum(grantLevels),
    grantedBy: z.object({ id: z.string(), name: z.string() }),
    grantedAt: Time,
  })
  .meta({ id: "SopGrant" });
export type SopGrant = z.output<typeof SopGrant>;

/** The access to one SOP beyond the roles, and the access that the user can give. */
export const SopAccess = z
  .object({
    restricted: z.boolean(),
    /** True if the user can restrict the SOP or open it again. */
    mayRestrict: z.boolean(),
    /** The levels of access that the user can give to others. */
    givable: z.array(z.enum(grantLevels)),
    permissions: z.array(SopGrant),
    /** The roles that can read the SOP without a share. */
    readers: z.array(z.enum(roles)),
  })
  .meta({ id: "SopAccess" });
export type SopAccess = z.output<typeof SopAccess>;

export const GrantAsk = z
  .strictObject({ userId: id.nullish(), teamId: id.nullish(), permission: z.enum(grantLevels) })
  .refine(({ userId, teamId }) => ((userId ?? null) === null) !== ((teamId ?? null) === null), {
    ...sentenceError(refusals.grantee),
    path: ["userId"],
  })
  .meta({ id: "GrantAsk" });

export const RestrictAsk = z.strictObject({ restricted: z.boolean() }).meta({ id: "RestrictAsk" });

export const PermissionParams = z.strictObject({ id, permissionId: id });

/** The reach of an action: everything, some SOPs (such as the user's own or the team's), or nothing. */
const Reach = z.enum(["all", "some", "none"]);
export type Reach = z.output<typeof Reach>;

export const OwnPermission = z
  .object({
    id: z.string(),
    permission: z.enum(actions),
    granted: z.boolean(),
    grantedBy: z.object({ id: z.string(), name: z.string() }),
    expiresAt: Time.nullable(),
    /** True if the permission had expired at the time of the answer. It then has no effect. */
    expired: z.boolean(),
    createdAt: Time,
  })
  .meta({ id: "OwnPermission" });
export type OwnPermission = z.output<typeof OwnPermission>;

export const UserRights = z
  .object({
    permissions: z.array(OwnPermission),
    /**
     * One row for each action. `byRole` includes the company's changes to the role; `settable` tells whether the user
     * can change the permission.
     */
    effective: z.array(
      z.object({ permission: z.enum(actions), byRole: Reach, effective: Reach, settable: z.boolean() }),
    ),
  })
  .meta({ id: "UserRights" });
export type UserRights = z.output<typeof UserRights>;

export const UserPermissionAsk = z
  .strictObject({
    permission: z.enum(actions),
    granted: z.boolean(),
    /** The expiry time; absent or null: until an administrator removes the permission. */
    expiresAt: z.iso.datetime({ offset: true }).nullish(),
  })
  .meta({ id: "UserPermissionAsk" });

/** A role's permission: the product's default, and the company's own setting (`docs/spec/permissions.md`). */
export const RoleRight = z
  .object({
    /** The id has the form `<role>:<permission>`. */
    id: z.string(),
    role: z.enum(roles),
    permission: z.enum(actions),
    /** The resource: `sop`, `category`, `team`, `user`, `company`, `companies`, `audit`, `repository`. */
    resource: z.string(),
    description: z.string(),
    /** The time when the company was created, because its roles come with it. */
    createdAt: Time,
    default: Reach,
    /** The company's own setting; null if the role has the default. */
    override: z.boolean().nullable(),
    effective: Reach,
    settable: z.boolean(),
  })
  .meta({ id: "RoleRight" });
export type RoleRight = z.output<typeof RoleRight>;

export const RoleRightAsk = z
  .strictObject({ role: z.enum(roles), permission: z.enum(actions), granted: z.boolean().nullable() })
  .meta({ id: "RoleRightAsk" });
