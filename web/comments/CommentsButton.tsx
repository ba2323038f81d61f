import { ChevronRight } from "lucide-react";
import { useRead } from "../api.ts";
import { openThreadCount } from "./open-thread-count.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("comments.comments-button", {
  comments: "Comments",
  commentsOpen: "Comments {count, number} open",
});

/** The element that gets the focus when the comments are closed. */
export const commentsButtonId = "comments-button";

interface CommentsButtonProps {
  sopId: string;
  open: boolean;
  onToggle(): void;
}

/**
 * Opens and closes the comments and shows the number of open threads. It looks like the collapsed sections above it.
 */
export function CommentsButton({ sopId, open, onToggle }: CommentsButtonProps) {
  const count = openThreadCount(useRead("comments", "list", { params: { id: sopId } }).data);
  return (
    <button
      type="button"
      id={commentsButtonId}
      data-print="hide"
      aria-expanded={open}
      aria-controls={open ? "comments" : undefined}
      aria-label={count > 0 ? texts.commentsOpen({ count }) : undefined}
      onClick={onToggle}
      className="flex min-h-11 w-full cursor-pointer items-center gap-2 border-t border-line text-sm font-medium"
    >
      <ChevronRight aria-hidden className="size-4 text-muted" />
      {texts.comments}
      {count > 0 && <span className="font-normal text-muted tabular-nums">{count}</span>}
    </button>
  );
}
