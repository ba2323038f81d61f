import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { PermissionParams, RoleRight, RoleRightAsk, UserPermissionAsk, UserRights } from "./schema.ts";

export const userPermissionSchemas = schemaGroup({
  list: { summary: "A user's own rights, and what they come to", params: IdParams, output: UserRights },
  set: {
    summary: "Give a user a single right or deny it, until a time or until taken back",
    params: IdParams,
    body: UserPermissionAsk,
    output: UserRights,
  },
  clear: { summary: "Take back a user's own right or denial", params: PermissionParams, output: UserRights },
});

export const roleSchemas = schemaGroup({
  list: {
    summary: "Every role and action: what the product says, what the company says, what holds",
    output: z.array(RoleRight),
  },
  set: {
    summary: "Give a role a right, deny it, or (null) leave it to the product",
    body: RoleRightAsk,
    output: z.array(RoleRight),
  },
});
