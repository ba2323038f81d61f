import { MessageSquare } from "lucide-react";
import { useRead } from "../api.ts";
import { Button } from "../ui/Button.tsx";

/** Where the focus returns to when the comments are closed. */
export const commentsButtonId = "comments-button";

interface CommentsButtonProps {
  sopId: string;
  open: boolean;
  onToggle(): void;
}

/** Opens and closes the comments, and counts the open threads. */
export function CommentsButton({ sopId, open, onToggle }: CommentsButtonProps) {
  const { data } = useRead("comments", "list", { params: { id: sopId } });
  const count = data?.filter(({ parentId, resolvedAt }) => parentId === null && resolvedAt === null).length ?? 0;
  return (
    <Button
      id={commentsButtonId}
      aria-expanded={open}
      aria-controls={open ? "comments" : undefined}
      aria-label={count > 0 ? `Comments ${count} open` : undefined}
      onClick={onToggle}
    >
      <MessageSquare aria-hidden />
      <span className="max-sm:sr-only">Comments</span>
      {count > 0 && (
        <span className="rounded-full bg-primary-soft px-1.5 text-xs text-primary tabular-nums">{count}</span>
      )}
    </Button>
  );
}
