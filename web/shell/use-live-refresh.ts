import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keyOf, refresh } from "../api.ts";
import { followEvents } from "../events.ts";
import { useFirstEvent } from "../session.tsx";

/** Keeps what is on screen true while others write. Answers whether the connection stands, and how to try at once. */
export function useLiveRefresh(follow: typeof followEvents = followEvents): [isLive: boolean, retry: () => void] {
  const queryClient = useQueryClient();
  // where it begins; later answers change nothing
  const [since] = useState(useFirstEvent());
  const [isLive, setLive] = useState(true);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      follow(
        {
          onChange: (resources, editedNow) => {
            if (resources.size > 0) void refresh(queryClient, resources);
            for (const id of editedNow) {
              void queryClient.invalidateQueries({ queryKey: keyOf("presence", "list", { params: { id } }) });
            }
          },
          onReset: () => void refresh(queryClient),
          onLive: setLive,
          onEnded: () => void queryClient.invalidateQueries({ queryKey: keyOf("auth", "check") }),
        },
        since,
      ),
    // a turn is a new stream from where the first one began: the server knows what came since, or resets
    [queryClient, follow, since, turn],
  );
  return [isLive, () => setTurn(turn + 1)];
}
