import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keyOf, refresh } from "../api.ts";
import { followEvents } from "../events.ts";
import { useMe } from "../session.tsx";

/** Keeps what is on screen true while others write. Answers whether the connection stands. */
export function useLiveRefresh(follow: typeof followEvents = followEvents): boolean {
  const queryClient = useQueryClient();
  const { eventSeq } = useMe();
  // where it begins; later answers about me change nothing
  const [since] = useState(eventSeq);
  const [isLive, setLive] = useState(true);
  useEffect(
    () =>
      follow(
        {
          onChange: (resources) => void refresh(queryClient, resources),
          onReset: () => void refresh(queryClient),
          onLive: setLive,
          onEnded: () => void queryClient.invalidateQueries({ queryKey: keyOf("auth", "check") }),
        },
        since,
      ),
    [queryClient, follow, since],
  );
  return isLive;
}
