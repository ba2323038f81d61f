import { useState } from "react";
import { useStoredChoice } from "../ui/use-stored.ts";

/** Stores whether the comments are shown, per browser and for all SOPs. */
export function useCommentsPanel() {
  const [stored, setStored] = useStoredChoice("sop-comments", ["open", "closed"], "closed");
  const [wasOpenedHere, setOpenedHere] = useState(false);
  return {
    open: stored === "open",
    /** True if the user opened the panel on this page, so that it may take the focus. */
    wasOpenedHere,
    show(open: boolean): void {
      setOpenedHere(true);
      setStored(open ? "open" : "closed");
    },
  };
}
export type CommentsPanel = ReturnType<typeof useCommentsPanel>;
