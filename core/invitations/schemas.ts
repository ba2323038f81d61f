import { Done, IdParams, pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Invitation, InvitationCreate, InvitationCreated, InvitationQuery } from "./schema.ts";

export const invitationSchemas = schemaGroup({
  list: {
    summary: "List invitations to your company with their state, newest first",
    query: InvitationQuery,
    output: pageSchemaOf(Invitation),
  },
  create: {
    summary:
      "Invite a person with a role. The link is shown once, and emailed if you name an address and yours is confirmed",
    body: InvitationCreate,
    output: InvitationCreated,
  },
  revoke: { summary: "Revoke an unused invitation", params: IdParams, output: Done },
});
