import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** A link to a section (`/settings#tokens`) arrives before the section is there, and before those above have their height. */
export function useArrivalAtSection() {
  const isFetching = useIsFetching() > 0;
  const progress = useRef<"new" | "loading" | "arrived">("new");
  useEffect(() => {
    if (progress.current === "arrived") return;
    const id = window.location.hash.slice(1);
    if (id) document.getElementById(id)?.scrollIntoView();
    if (isFetching) progress.current = "loading";
    else if (progress.current === "loading") progress.current = "arrived";
  }, [isFetching]);
}
