import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { countPending } from "../suggestions/seen.ts";
import { countVisibleOpenProposals } from "../proposals/view.ts";
import { visibleCounts } from "./counts.ts";
import { workToDoOf } from "./needs.ts";
import { loadCompanyOverview } from "./overview.ts";

export function statsHandlers(services: Services): Handlers<"stats"> {
  return {
    async get({ identity }) {
      const { actor } = identity;
      const [seen, teams, aiSuggestions, proposals] = await Promise.all([
        visibleCounts(services, actor),
        services.db
          .forCompany(actor.companyId)
          .collection("team_members")
          .aggregate<{ _id: string }>([{ $group: { _id: "$teamId" } }]),
        countPending(services, actor),
        countVisibleOpenProposals(services, actor),
      ]);
      return {
        totalSOPs: seen.total,
        activeTeams: teams.length,
        pendingApproval: seen.underReview,
        aiSuggestions,
        proposals,
      };
    },

    overview: ({ identity }) => loadCompanyOverview(services, identity.actor),

    needs: ({ identity }) => workToDoOf(services, identity, services.clock.now()),
  };
}
