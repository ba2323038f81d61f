import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { countPendingSuggestions } from "../suggestions/seen.ts";
import { countVisibleOpenProposals } from "../proposals/view.ts";
import { countVisibleSops } from "./counts.ts";
import { findWorkToDo } from "./needs.ts";
import { loadCompanyOverview } from "./overview.ts";

export function statsHandlers(services: Services): Handlers<"stats"> {
  return {
    async get({ identity }) {
      const { actor } = identity;
      const [seen, teams, aiSuggestions, proposals] = await Promise.all([
        countVisibleSops(services, actor),
        services.db
          .forCompany(actor.companyId)
          .collection("team_members")
          .aggregate<{ _id: string }>([{ $group: { _id: "$teamId" } }]),
        countPendingSuggestions(services, actor),
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

    needs: ({ identity }) => findWorkToDo(services, identity, services.clock.now()),
  };
}
