import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Invitation, InvitationCreate, InvitationCreated, InvitationQuery } from "./schema.ts";

export const invitationSchemas = schemaGroup({
  list: {
    summary: "Invitations to the own company, newest first, with what became of them",
    query: InvitationQuery,
    output: page(Invitation),
  },
  create: {
    summary:
      "Invite one person with a role. The link is answered once, and emailed if you name an address and your own is confirmed",
    body: InvitationCreate,
    output: InvitationCreated,
  },
  revoke: { summary: "End an invitation that nobody used", params: IdParams, output: Done },
});
