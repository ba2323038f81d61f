import { improveWithRules } from "../ai/improve.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { RecentRecorder } from "../favorites/recorder.ts";
import { presentSop } from "../sops/view/present.ts";
import { presentSuggestions } from "../suggestions/seen.ts";
import { suggestByRules } from "../suggestions/suggest.ts";
import { draftFromTemplate } from "./draft.ts";

export function assistantHandlers(services: Services, recent: RecentRecorder): Handlers<"assistant"> {
  return {
    async draft(call) {
      const { actor } = call.identity;
      const { sop, markdown, rules } = await draftFromTemplate(services, call, call.body);
      recent.recordUse(sop, actor.userId);
      call.ctx.set("ETag", `"v${sop.version}"`);
      return { ...(await presentSop(services, actor, sop, "latest", { markdown })), rules };
    },

    improve: ({ body }) => improveWithRules(services, body),

    async suggest(call) {
      const found = await suggestByRules(services, call);
      return presentSuggestions(services, call.identity.actor, found);
    },
  };
}
