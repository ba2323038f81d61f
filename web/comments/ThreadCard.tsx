import { clsx } from "clsx";
import { Check, EyeOff, Quote, RotateCcw, Unlink } from "lucide-react";
import { use, useState } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import { CommentItem } from "./CommentItem.tsx";
import { CommentComposer } from "./CommentComposer.tsx";
import { CommentDrafts } from "./drafts.ts";
import { texts } from "./texts.ts";
import type { CommentThread } from "./threads.ts";
import { focusOn, useFocusLossRef } from "./use-focus-loss.ts";

interface ThreadCardProps {
  sop: Sop;
  thread: CommentThread;
  /** True if the thread is selected. */
  active: boolean;
  mayReply: boolean;
  onShow(): void;
  /** Called when the thread disappears while the focus is in it. */
  onLostFocus(): void;
}

export function ThreadCard({ sop, thread, active, mayReply, onShow, onLostFocus }: ThreadCardProps) {
  const card = useFocusLossRef<HTMLLIElement>(onLostFocus);
  const { first, replies } = thread;
  return (
    <li
      ref={card}
      data-thread={thread.id}
      className={clsx(
        "grid scroll-mt-24 gap-3 border-b border-line py-4 outline-none last:border-b-0 focus-visible:outline-2",
        // The background is wider than the text, so that the text stays aligned with the others.
        active && "bg-sunken shadow-[-0.5rem_0_0_var(--sunken),0.5rem_0_0_var(--sunken)]",
      )}
    >
      {(first.anchor || first.audience === "head" || first.version !== sop.version) && (
        <div className="grid gap-2">
          <ThreadQuote thread={thread} onShow={onShow} />
          <div className="flex flex-wrap gap-1.5 empty:hidden">
            {first.audience === "head" && (
              <Badge tone="outline" title={texts.draftOnlyHint}>
                <EyeOff aria-hidden />
                {texts.draftOnly}
              </Badge>
            )}
            {first.version !== sop.version && <Badge>{texts.onV({ version: first.version })}</Badge>}
          </div>
        </div>
      )}
      <CommentItem comment={first} onLostFocus={onLostFocus} />
      {replies.length > 0 && (
        <ol className="ml-3 grid gap-3 border-l-2 border-line pl-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentItem comment={reply} onLostFocus={onLostFocus} />
            </li>
          ))}
        </ol>
      )}
      {first.resolvedBy && (
        <p className="text-xs text-muted">{texts.resolvedBy({ resolvedBy: printedName(first.resolvedBy) })}</p>
      )}
      <ThreadActions sop={sop} thread={thread} mayReply={mayReply} onReplied={() => focusOn(card.current)} />
    </li>
  );
}

function ThreadQuote({ thread, onShow }: { thread: CommentThread; onShow(): void }) {
  const { anchor } = thread.first;
  if (!anchor) return null;
  if (anchor.orphaned) {
    return (
      <div className="grid gap-1 rounded-md bg-sunken px-2.5 py-2 text-xs">
        <p className="flex items-center gap-1.5 font-medium">
          <Unlink aria-hidden className="size-3.5 shrink-0" />
          {texts.orphan}
        </p>
        <q dir="auto" className="line-clamp-3 break-words text-muted">
          {anchor.quote}
        </q>
      </div>
    );
  }
  return (
    <button
      type="button"
      aria-label={`${texts.show}: ${anchor.quote}`}
      onClick={onShow}
      className="flex gap-1.5 rounded-md bg-warning-soft px-2.5 py-2 text-left text-xs hover:underline pointer-coarse:min-h-11"
    >
      <Quote aria-hidden className="size-3.5 shrink-0 text-warning" />
      <span dir="auto" className="line-clamp-2 min-w-0 break-words">
        {anchor.quote}
      </span>
    </button>
  );
}

interface ThreadActionsProps {
  sop: Sop;
  thread: CommentThread;
  mayReply: boolean;
  /** Called when the reply field disappears while the focus is in it. */
  onReplied(): void;
}

function ThreadActions({ sop, thread, mayReply, onReplied }: ThreadActionsProps) {
  const draft = `reply:${thread.id}`;
  const drafts = use(CommentDrafts);
  const [replying, setReplying] = useState(() => drafts.get(draft) !== undefined);
  const [wasAsked, setWasAsked] = useState(false);
  const create = useWrite("comments", "create");
  const resolve = useWrite("comments", "resolve");
  const toast = useToast();
  const { first, isOpen } = thread;
  const sendReply = async (content: string): Promise<void> => {
    await create.mutateAsync({
      params: { id: sop.id },
      body: { content, parentId: thread.id, version: sop.version },
    });
    setReplying(false);
  };
  const setResolved = async (resolved: boolean): Promise<void> => {
    try {
      await resolve.mutateAsync({ params: { id: sop.id, commentId: thread.id }, body: { resolved } });
      toast({
        title: resolved ? texts.didResolve : texts.didReopen,
        ...(resolved && { action: { label: texts.undo, onClick: () => void setResolved(false) } }),
      });
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.actionFailed), variant: "destructive" });
    }
  };
  if (replying) {
    return (
      <CommentComposer
        sopId={sop.id}
        draft={draft}
        label={texts.replyLabel}
        placeholder={texts.replyPlaceholder}
        send={texts.sendReply}
        focused={wasAsked}
        onSend={sendReply}
        onCancel={() => setReplying(false)}
        onLostFocus={onReplied}
      />
    );
  }
  if (!mayReply && !first.mayResolve) return null;
  const who = texts.to({ author: printedName(first.author) });
  return (
    <div className="flex flex-wrap gap-2">
      {mayReply && (
        <Button
          size="sm"
          aria-label={`${texts.replyLabel} ${who}`}
          onClick={() => {
            setWasAsked(true);
            setReplying(true);
          }}
        >
          {texts.replyLabel}
        </Button>
      )}
      {first.mayResolve && (
        <Button
          size="sm"
          variant="ghost"
          busy={resolve.isPending}
          aria-label={texts.resolveOf({
            action: isOpen ? texts.resolve : texts.reopen,
            author: printedName(first.author),
          })}
          onClick={() => void setResolved(isOpen)}
        >
          {isOpen ? <Check aria-hidden /> : <RotateCcw aria-hidden />}
          {isOpen ? texts.resolve : texts.reopen}
        </Button>
      )}
    </div>
  );
}
