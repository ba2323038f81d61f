import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { PermissionParams, RoleRight, RoleRightAsk, UserPermissionAsk, UserRights } from "./schema.ts";

export const userPermissionSchemas = schemaGroup({
  list: { summary: "Get a user's permissions and their effect", params: IdParams, output: UserRights },
  set: {
    summary: "Allow or deny one permission of a user, until a time or until removed",
    params: IdParams,
    body: UserPermissionAsk,
    output: UserRights,
  },
  clear: { summary: "Remove a user's own permission or denial", params: PermissionParams, output: UserRights },
});

export const roleSchemas = schemaGroup({
  list: {
    summary: "List all roles and actions: the default, your company's change and the result",
    output: z.array(RoleRight),
  },
  set: {
    summary: "Allow or deny a permission of a role, or (null) reset it to the default",
    body: RoleRightAsk,
    output: z.array(RoleRight),
  },
});
