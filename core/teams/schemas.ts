import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Team, TeamCreate, TeamMember, TeamMemberAdd, TeamMemberParams, TeamRemoved, TeamUpdate } from "./schema.ts";

export const teamSchemas = schemaGroup({
  list: { output: z.array(Team) },
  create: { body: TeamCreate, output: Team },
  update: { params: IdParams, body: TeamUpdate, output: Team },
  remove: { params: IdParams, output: TeamRemoved },
  members: { params: IdParams, output: z.array(TeamMember) },
  addMember: { params: IdParams, body: TeamMemberAdd, output: z.array(TeamMember) },
  removeMember: { params: TeamMemberParams, output: z.array(TeamMember) },
});
