import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { PermissionParams, RoleRight, RoleRightAsk, UserPermissionAsk, UserRights } from "./schema.ts";

export const userPermissionSchemas = schemaGroup({
  list: { params: IdParams, output: UserRights },
  set: { params: IdParams, body: UserPermissionAsk, output: UserRights },
  clear: { params: PermissionParams, output: UserRights },
});

export const roleSchemas = schemaGroup({
  list: { output: z.array(RoleRight) },
  set: { body: RoleRightAsk, output: z.array(RoleRight) },
});
