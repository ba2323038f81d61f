import { useState } from "react";
import { useStored } from "../ui/use-stored.ts";

/** Whether the comments are shown; a browser keeps it from one SOP to the next. */
export function useCommentsPanel() {
  const [stored, setStored] = useStored("sop-comments", ["open", "closed"], "closed");
  const [wasAsked, setWasAsked] = useState(false);
  return {
    open: stored === "open",
    /** The user opened the panel on this page, so it may take the focus. */
    wasAsked,
    show(open: boolean): void {
      setWasAsked(true);
      setStored(open ? "open" : "closed");
    },
  };
}
export type CommentsPanel = ReturnType<typeof useCommentsPanel>;
