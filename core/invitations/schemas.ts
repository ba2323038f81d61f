import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Invitation, InvitationCreate, InvitationCreated, InvitationQuery } from "./schema.ts";

export const invitationSchemas = schemaGroup({
  list: { query: InvitationQuery, output: page(Invitation) },
  create: { body: InvitationCreate, output: InvitationCreated },
  revoke: { params: IdParams, output: Done },
});
