import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { newId } from "#core/ids.ts";
import type { PresenceState } from "#core/presence/rules.ts";
import { keyOf, useClient } from "../api.ts";
import { useSession } from "../session.tsx";
import { announceTab } from "./announce-tab.ts";

/** While the screen is shown, others are told that this user edits the SOP; `isKnown` once the server answered. */
export function useAnnounced(id: string): { tab: string; isKnown: boolean } {
  const client = useClient();
  const queryClient = useQueryClient();
  const { turn } = useSession();
  const [tab] = useState(newId);
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    const began = turn();
    const params = { id };
    const key = keyOf("presence", "list", { params });
    const say = async (state: PresenceState) => {
      const body = { tab, state };
      // who leaves may be gone before the answer comes
      const answer = client.presence.announce({ params, body, ...(state === "gone" && { keepalive: true as const }) });
      const presence = await answer.finally(() => setIsKnown(true));
      const known = queryClient.getQueryState(key);
      if (known?.data === undefined || known.isInvalidated) queryClient.setQueryData(key, presence);
    };
    const announcing = announceTab(say);
    return () => announcing.stop(turn() === began);
  }, [client, queryClient, id, tab, turn]);
  return { tab, isKnown };
}
