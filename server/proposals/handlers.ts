import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { acceptProposal, dismissProposal, mergeProposal } from "./decide.ts";
import { listProposals, loadProposal, presentProposal, presentProposalRow } from "./view.ts";

export function proposalHandlers(services: Services): Handlers<"proposals"> {
  return {
    async list({ identity: { actor }, query }) {
      const { found, ...page } = await listProposals(services, actor, query);
      return { data: found.map((one) => presentProposalRow(actor, one)), ...page };
    },

    async get({ identity: { actor }, params }) {
      return presentProposal(services, actor, await loadProposal(services, actor, params.id));
    },

    async accept(call) {
      return presentProposalRow(call.identity.actor, await acceptProposal(services, call, call.params.id));
    },

    async merge(call) {
      const merged = await mergeProposal(services, call, call.params.id, call.body);
      return presentProposalRow(call.identity.actor, merged);
    },

    async dismiss(call) {
      const { actor } = call.identity;
      return presentProposalRow(actor, await dismissProposal(services, call, call.params.id, call.body.reason));
    },
  };
}
