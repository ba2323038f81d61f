import { useState } from "react";
import { commentPiecesOf } from "#core/comments/pieces.ts";
import type { Comment } from "#core/comments/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { dateTimeText, timeAgo } from "../ui/time.ts";
import { useToast } from "../ui/Toast.tsx";
import { CommentComposer } from "./CommentComposer.tsx";
import { texts } from "./texts.ts";
import { focusOn, useFocusLossRef } from "./use-focus-loss.ts";

interface CommentItemProps {
  comment: Comment;
  /** Called when the comment disappears while the focus is in it. */
  onLostFocus(): void;
}

export function CommentItem({ comment, onLostFocus }: CommentItemProps) {
  const item = useFocusLossRef<HTMLDivElement>(onLostFocus);
  const focusItem = () => focusOn(item.current);
  const { id, sopId, author, createdAt, editedAt, removedAt } = comment;
  const [editing, setEditing] = useState(false);
  const update = useWrite("comments", "update");
  if (removedAt !== null) {
    return (
      <div ref={item} id={`comment-${id}`} className="text-sm text-muted italic outline-none">
        {texts.removed}
      </div>
    );
  }
  const saveComment = async (content: string): Promise<void> => {
    await update.mutateAsync({ params: { id: sopId, commentId: id }, body: { content } });
    setEditing(false);
  };
  return (
    <div
      ref={item}
      id={`comment-${id}`}
      className="grid scroll-mt-24 grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-1 outline-none"
    >
      <Avatar size="sm" initials={author.initials} />
      <p className="flex flex-wrap items-baseline gap-x-2 leading-6">
        <span className="font-semibold">{printedName(author)}</span>
        <span className="text-xs text-muted">
          <time dateTime={createdAt} title={dateTimeText(createdAt)}>
            {timeAgo(createdAt)}
          </time>
          {editedAt && (
            <>
              {" · "}
              <span title={dateTimeText(editedAt)}>{texts.edited}</span>
            </>
          )}
        </span>
      </p>
      <div className="col-start-2 grid gap-1">
        {editing ? (
          <CommentComposer
            sopId={sopId}
            draft={`edit:${id}`}
            initial={comment.content}
            label={texts.editLabel}
            send={texts.save}
            focused
            onSend={saveComment}
            onCancel={() => setEditing(false)}
            onLostFocus={focusItem}
          />
        ) : (
          <CommentBody comment={comment} />
        )}
        {!editing && <CommentActions comment={comment} onEdit={() => setEditing(true)} onLostFocus={focusItem} />}
      </div>
    </div>
  );
}

interface CommentActionsProps extends CommentItemProps {
  onEdit(): void;
}

function CommentActions({ comment, onEdit, onLostFocus }: CommentActionsProps) {
  const row = useFocusLossRef<HTMLDivElement>(onLostFocus);
  if (!comment.mayEdit && !comment.mayRemove) return null;
  return (
    <div ref={row} className="-ml-2.5 flex flex-wrap gap-1">
      {comment.mayEdit && (
        <Button size="sm" variant="ghost" aria-label={`${texts.edit} ${commentLabel(comment)}`} onClick={onEdit}>
          {texts.edit}
        </Button>
      )}
      {comment.mayRemove && <RemoveCommentButton comment={comment} />}
    </div>
  );
}

/**
 * Names a comment for screen readers, to tell its buttons from others: 'your comment, 5 minutes ago', 'the comment of
 * Ann Archer, 2 hours ago'.
 */
function commentLabel({ author, createdAt, mayEdit }: Comment): string {
  return `${mayEdit ? texts.yourComment : texts.theCommentOf({ author: printedName(author) })}, ${timeAgo(createdAt)}`;
}

function CommentBody({ comment }: { comment: Comment }) {
  return (
    <p dir="auto" className="text-sm whitespace-pre-wrap">
      {commentPiecesOf(comment.content, comment.mentions).map((piece, index) => {
        if (piece.kind === "text") return piece.text;
        return piece.kind === "link" ? (
          <a
            key={index}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-primary underline"
          >
            {piece.text}
          </a>
        ) : (
          <strong key={index} title={piece.name} className="rounded-sm bg-primary-soft px-0.5 font-medium text-primary">
            {piece.text}
          </strong>
        );
      })}
    </p>
  );
}

function RemoveCommentButton({ comment }: { comment: Comment }) {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useWrite("comments", "remove");
  const toast = useToast();
  const removeComment = async (): Promise<void> => {
    try {
      await remove.mutateAsync({ params: { id: comment.sopId, commentId: comment.id } });
      toast({ title: texts.didRemove });
      setConfirming(false);
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
    }
  };
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`${texts.remove} ${commentLabel(comment)}`}
        onClick={() => setConfirming(true)}
      >
        {texts.remove}
      </Button>
      <AlertDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={texts.removeAsk}
        description={texts.removeText}
        confirm={texts.remove}
        cancel={texts.cancel}
        destructive
        busy={remove.isPending}
        onConfirm={() => void removeComment()}
      />
    </>
  );
}
