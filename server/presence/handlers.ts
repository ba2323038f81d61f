import { AppError } from "#core/errors.ts";
import { canBeShownAsEditing } from "#core/presence/rules.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { presentPresence } from "./present.ts";
import { removeTab, storeTab, tabOf } from "./tabs.ts";

export function presenceHandlers(services: Pick<Services, "db" | "clock">): Handlers<"presence"> {
  return {
    async list({ identity: { actor }, params }) {
      const { sop } = await loadVisibleSop(services, actor, params.id);
      return presentPresence(services, actor, sop);
    },

    async announce({ identity: { actor, session }, params, body }) {
      const { sop } = await loadVisibleSop(services, actor, params.id);
      if (!session || !canBeShownAsEditing(actor, sop)) throw new AppError("forbidden");
      const tab = tabOf(sop, actor.userId, body.tab, session._id);
      if (body.state === "gone") await removeTab(services, tab);
      else await storeTab(services, tab, body.state);
      return presentPresence(services, actor, sop);
    },
  };
}
