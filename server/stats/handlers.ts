import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { countsSeen } from "./counts.ts";
import { needsOf } from "./needs.ts";

export function statsHandlers(services: Services): Handlers<"stats"> {
  return {
    async get({ identity }) {
      const { actor } = identity;
      const [seen, teams] = await Promise.all([
        countsSeen(services, actor),
        services.db
          .forCompany(actor.companyId)
          .collection("team_members")
          .aggregate<{ _id: string }>([{ $group: { _id: "$teamId" } }]),
      ]);
      return { totalSOPs: seen.total, activeTeams: teams.length, pendingApproval: seen.underReview, aiSuggestions: 0 };
    },

    needs: ({ identity }) => needsOf(services, identity, services.clock.now()),
  };
}
