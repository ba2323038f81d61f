import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keyOf, refresh } from "../api.ts";
import { followEvents } from "../events.ts";

/** Keeps what is on screen true while others write. Answers whether the connection stands. */
export function useLiveRefresh(follow: typeof followEvents = followEvents): boolean {
  const queryClient = useQueryClient();
  const [isLive, setLive] = useState(true);
  useEffect(
    () =>
      follow({
        onChange: (resources) => void refresh(queryClient, resources),
        onReset: () => void queryClient.invalidateQueries(),
        onLive: setLive,
        onEnded: () => void queryClient.invalidateQueries({ queryKey: keyOf("auth", "check") }),
      }),
    [queryClient, follow],
  );
  return isLive;
}
