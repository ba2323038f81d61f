import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Team, TeamCreate, TeamMember, TeamMemberAdd, TeamMemberParams, TeamRemoved, TeamUpdate } from "./schema.ts";

export const teamSchemas = schemaGroup({
  list: { summary: "List teams", output: z.array(Team) },
  create: { summary: "Create a team; its owner is its first member", body: TeamCreate, output: Team },
  update: {
    summary: "Update a team's name, description or owner",
    params: IdParams,
    body: TeamUpdate,
    output: Team,
  },
  remove: {
    summary: "Delete a team: its SOPs and categories stay, without a team",
    params: IdParams,
    output: TeamRemoved,
  },
  members: { summary: "List the members of a team", params: IdParams, output: z.array(TeamMember) },
  addMember: {
    summary: "Add a member, or change a member's role",
    params: IdParams,
    body: TeamMemberAdd,
    output: z.array(TeamMember),
  },
  removeMember: { summary: "Remove a member from a team", params: TeamMemberParams, output: z.array(TeamMember) },
});
