/**
 * The comments of one SOP: the panel beside or below the text, highlights in the text, and the button at a selection.
 */
import "./comments.css";
import { useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus, MessagesSquare, X } from "lucide-react";
import { use, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router-dom";
import type { Sop } from "#core/sops/schema.ts";
import { refreshQueries, useRead, useWrite } from "../api.ts";
import { useMay } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState, ErrorState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useToast } from "../ui/Toast.tsx";
import type { SelectedText } from "./article-text.ts";
import { commentsButtonId } from "./CommentsButton.tsx";
import { CommentComposer } from "./CommentComposer.tsx";
import { createCommentDrafts, CommentDrafts } from "./drafts.ts";
import { texts } from "./texts.ts";
import { ThreadCard } from "./ThreadCard.tsx";
import { commentThreadsOf, type CommentThread } from "./threads.ts";
import type { CommentsPanel } from "./use-comments-panel.ts";
import { focusOn } from "./use-focus-loss.ts";
import {
  threadsInTextOrder,
  scrollToThread,
  useHighlights,
  useTextSelection,
  useThreadChoiceByClick,
} from "./use-text.ts";

export interface CommentsProps {
  sop: Sop;
  /** The element around the text. */
  box: HTMLElement | null;
  panel: CommentsPanel;
}

type CommentFilter = "open" | "resolved";

export function Comments({ sop, box, panel }: CommentsProps) {
  const onOpen = () => panel.show(true);
  const params = { id: sop.id };
  const comments = useRead("comments", "list", { params });
  const may = useMay();
  const mayComment = may("sop.comment", sop);
  const text = box?.querySelector(".reading") ?? null;
  const threads = useMemo(() => commentThreadsOf(comments.data ?? []), [comments.data]);
  const [filter, setFilter] = useState<CommentFilter>("open");
  const [active, setActive] = useState<string | null>(null);
  const [about, setAbout] = useState<SelectedText | null>(null);
  const [drafts] = useState(createCommentDrafts);
  const selected = useTextSelection(text, mayComment);
  // Only comments that match the filter are highlighted.
  const colored = useMemo(() => threads.filter((one) => one.isOpen === (filter === "open")), [threads, filter]);
  useCommentRefreshOnTextChange(sop);
  useHighlights(text, sop.content, colored, active, about);

  const chooseThread = (id: string): boolean => {
    const thread = threads.find((one) => one.id === id || one.replies.some((reply) => reply.id === id));
    if (!thread) return false;
    setFilter(thread.isOpen ? "open" : "resolved");
    setActive(thread.id);
    onOpen();
    runAfterPaint(() => scrollToAndFocus(`comment-${id}`));
    return true;
  };
  useThreadChoiceByClick(text, colored, (id) => void chooseThread(id));
  useCommentInAddress(threads, onOpen, chooseThread);

  const beginComment = (chosen: SelectedText): void => {
    setAbout(chosen);
    onOpen();
    document.getSelection()?.removeAllRanges();
    runAfterPaint(() => scrollToAndFocus("new-comment"));
  };

  return (
    <CommentDrafts value={drafts}>
      {box &&
        selected &&
        createPortal(<SelectionCommentButton at={selected.at} onBegin={() => beginComment(selected.chosen)} />, box)}
      {panel.open && (
        <CommentsSidePanel
          sop={sop}
          state={comments.data ? "there" : comments.isError ? "failed" : "loading"}
          onRetry={() => void comments.refetch()}
          threads={threads}
          text={text}
          filter={filter}
          onFilter={setFilter}
          active={active}
          onShow={(thread) => {
            setActive(thread.id);
            scrollToThread(text, thread);
          }}
          mayComment={mayComment}
          about={about}
          onAbout={setAbout}
          onBegin={selected ? () => beginComment(selected.chosen) : undefined}
          onClose={() => {
            setAbout(null);
            panel.show(false);
            document.getElementById(commentsButtonId)?.focus();
          }}
          takesFocus={panel.wasOpenedHere}
        />
      )}
    </CommentDrafts>
  );
}

/** Reads comments again when the SOP's text changes, because comments refer to positions in that text. */
function useCommentRefreshOnTextChange({ contentHash }: Sop): void {
  const queryClient = useQueryClient();
  const known = useRef(contentHash);
  useEffect(() => {
    if (known.current === contentHash) return;
    known.current = contentHash;
    void refreshQueries(queryClient, ["comments"]);
  }, [contentHash, queryClient]);
}

/**
 * `#comments` in the address opens the panel. `#comment-<id>`, as in a notification, selects that comment once it has
 * loaded.
 * @param choose selects the comment and returns whether it exists
 */
function useCommentInAddress(
  threads: readonly CommentThread[],
  onOpen: () => void,
  choose: (id: string) => boolean,
): void {
  const { hash } = useLocation();
  const chosen = useRef("");
  const openPanel = useEffectEvent(onOpen);
  const chooseThread = useEffectEvent(choose);
  useEffect(() => {
    if (hash === "#comments") openPanel();
  }, [hash]);
  useEffect(() => {
    const id = /^#comment-(.+)$/.exec(hash)?.[1];
    if (chosen.current !== hash && (id === undefined || chooseThread(id))) chosen.current = hash;
  }, [hash, threads]);
}

/** Calls `work` after the next paint, when elements that were just added are on screen. */
function runAfterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}

/** Scrolls to a comment or a form and focuses its text field, or else the element itself. @param id the element's id */
function scrollToAndFocus(id: string): void {
  const element = document.getElementById(id);
  const field = element?.querySelector("textarea");
  (element?.closest("li[data-thread]") ?? element)?.scrollIntoView({ block: "nearest" });
  focusOn(field ?? element);
}

function SelectionCommentButton({ at, onBegin }: { at: { top: number; left: number }; onBegin(): void }) {
  return (
    <div data-print="hide" className="absolute z-10" style={at}>
      <Button
        size="sm"
        variant="primary"
        className="shadow-float"
        // Pressing the button would end the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onBegin}
      >
        <MessageSquarePlus aria-hidden />
        {texts.comment}
      </Button>
    </div>
  );
}

interface CommentsSidePanelProps {
  sop: Sop;
  state: "there" | "failed" | "loading";
  onRetry(): void;
  threads: readonly CommentThread[];
  text: Element | null;
  filter: CommentFilter;
  onFilter(filter: CommentFilter): void;
  /** The id of the selected thread; null for none. */
  active: string | null;
  onShow(thread: CommentThread): void;
  mayComment: boolean;
  /** The words that the new comment is about; null for a comment about the whole SOP. */
  about: SelectedText | null;
  onAbout(about: SelectedText | null): void;
  /** Begins a comment about the selected words; undefined without a selection. */
  onBegin: (() => void) | undefined;
  onClose(): void;
  /** True if the user opened the panel on this page. A panel that was open from the start doesn't take the focus. */
  takesFocus: boolean;
}

function CommentsSidePanel({
  sop,
  state,
  threads,
  text,
  filter,
  active,
  mayComment,
  about,
  takesFocus,
  ...on
}: CommentsSidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const ordered = useMemo(() => threadsInTextOrder(text, threads), [text, threads]);
  const shown = ordered.filter(({ isOpen }) => isOpen === (filter === "open"));
  const counts = { open: 0, resolved: 0 };
  for (const { isOpen } of threads) counts[isOpen ? "open" : "resolved"]++;
  const focusHeading = () => heading.current?.focus();
  return (
    <section
      id="comments"
      // The panel takes the focus when a focused comment disappears.
      tabIndex={-1}
      aria-labelledby="comments-title"
      data-print="hide"
      className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] content-start gap-4 @min-[58rem]:sticky @min-[58rem]:top-20 @min-[58rem]:max-h-[calc(100dvh-6rem)] @min-[58rem]:overflow-y-auto @min-[58rem]:border-l @min-[58rem]:border-line outline-none @min-[58rem]:pr-1 @min-[58rem]:pl-5"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 ref={heading} id="comments-title" tabIndex={-1} className="text-lg font-semibold outline-none">
          {texts.title}
        </h2>
        <IconButton label={texts.close} size="sm" onClick={on.onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      {mayComment && (
        <NewCommentForm
          sop={sop}
          threads={state === "there" ? threads : null}
          about={about}
          onAbout={on.onAbout}
          onBegin={on.onBegin}
        />
      )}
      {state === "loading" && (
        <output className="flex items-center gap-2 py-6 text-muted">
          <Spinner />
          {texts.loading}
        </output>
      )}
      {state === "failed" && <ErrorState title={texts.failed} onRetry={on.onRetry} />}
      {state === "there" && threads.length === 0 && (
        <EmptyState
          icon={<MessagesSquare />}
          title={texts.emptyTitle}
          hint={mayComment ? texts.emptyHint : texts.emptyReadOnly}
        />
      )}
      {threads.length > 0 && (
        <>
          <fieldset aria-label={texts.which} className="flex gap-1">
            {(["open", "resolved"] as const).map((one) => (
              <Button
                key={one}
                size="sm"
                variant={filter === one ? "outline" : "ghost"}
                aria-pressed={filter === one}
                onClick={() => on.onFilter(one)}
              >
                {`${texts[one]} (${counts[one]})`}
              </Button>
            ))}
          </fieldset>
          {shown.length === 0 && <p className="text-muted">{filter === "open" ? texts.noOpen : texts.noResolved}</p>}
          <ol className="grid grid-cols-[minmax(0,1fr)] border-t border-line">
            {shown.map((thread) => (
              <ThreadCard
                key={thread.id}
                sop={sop}
                thread={thread}
                active={thread.id === active}
                mayReply={mayComment}
                onShow={() => on.onShow(thread)}
                onLostFocus={focusHeading}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

type NewCommentFormProps = Pick<CommentsSidePanelProps, "sop" | "about" | "onAbout" | "onBegin"> & {
  /** null until the threads have loaded. */
  threads: readonly CommentThread[] | null;
};

function NewCommentForm({ sop, threads, about, onAbout, onBegin }: NewCommentFormProps) {
  const create = useWrite("comments", "create");
  const toast = useToast();
  useLostDraftRescue(threads);
  const sendComment = async (content: string): Promise<void> => {
    const anchor = about ? { anchor: about } : {};
    await create.mutateAsync({ params: { id: sop.id }, body: { content, version: sop.version, ...anchor } });
    onAbout(null);
    toast({ title: texts.sent });
  };
  return (
    <div id="new-comment" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {about ? (
        <div className="flex items-start gap-2 rounded-md bg-warning-soft px-2.5 py-2 text-xs">
          <p className="line-clamp-3 min-w-0 flex-1 break-words">
            <span className="font-medium">{texts.about}</span> {about.quote}
          </p>
          <IconButton label={texts.dropQuote} size="sm" onClick={() => onAbout(null)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ) : (
        <div>
          <Button
            size="sm"
            disabled={!onBegin}
            // Pressing the button would end the selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onBegin}
          >
            <MessageSquarePlus aria-hidden />
            {texts.onSelection}
          </Button>
        </div>
      )}
      <CommentComposer
        sopId={sop.id}
        draft="new"
        label={texts.newLabel}
        placeholder={texts.newPlaceholder}
        send={texts.send}
        hint={sop.version === sop.published?.version ? texts.toReaders : texts.toEditors}
        onSend={sendComment}
      />
    </div>
  );
}

/**
 * If a comment is deleted while the user replies to it or edits it, the typed text moves into the field for a new
 * comment.
 */
function useLostDraftRescue(threads: readonly CommentThread[] | null): void {
  const drafts = use(CommentDrafts);
  const toast = useToast();
  const rescueReplies = useEffectEvent((ids: ReadonlySet<string>) => {
    const lost = drafts.takeOfDeletedComments(ids);
    if (lost.length === 0) return;
    drafts.set("new", [drafts.get("new") ?? "", ...lost].filter((text) => text !== "").join("\n\n"));
    toast({ title: texts.lost });
  });
  useEffect(() => {
    if (threads)
      rescueReplies(new Set(threads.flatMap(({ id, replies }) => [id, ...replies.map((reply) => reply.id)])));
  }, [threads]);
}
