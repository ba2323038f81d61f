/** Loaded when a team is first checked: zod and the rules. */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { TeamCreate } from "#core/teams/schema.ts";

const TeamForm = z.object({
  name: TeamCreate.shape.name,
  description: z.string().trim().max(500),
  ownerId: z.string(),
});
export type TeamValues = z.input<typeof TeamForm>;

export const teamResolver = zodResolver(TeamForm);
