/** Connects comments with the words on screen: highlights, clicks and selections. */
import { useEffect, useEffectEvent, useState } from "react";
import type { Comment } from "#core/comments/schema.ts";
import { characterIndexAt, selectedTextOf, anchorRangeOf, readArticleText, type SelectedText } from "./article-text.ts";
import { showHighlights, type HighlightedComment } from "./highlights.ts";
import type { CommentThread } from "./threads.ts";

/** A thread id for the words that the user is about to comment on. */
const pendingId = "pending";

/**
 * Highlights the words of the given threads, and more strongly those of the active thread and of a comment being
 * written (`about`).
 */
export function useHighlights(
  text: Element | null,
  html: string,
  threads: readonly CommentThread[],
  active: string | null,
  about: SelectedText | null,
): void {
  useEffect(() => {
    if (!text || (threads.length === 0 && !about)) return;
    const article = readArticleText(text);
    const marked = threads.flatMap(({ id, first }): HighlightedComment[] => {
      const place = validAnchorOf(first);
      const range = place && anchorRangeOf(article, place);
      return range ? [{ id, range, active: id === active }] : [];
    });
    const pending = about && anchorRangeOf(article, { ...about, end: about.start + about.quote.length });
    return showHighlights(pending ? [...marked, { id: pendingId, range: pending, active: true }] : marked);
  }, [text, html, threads, active, about]);
}

/** Returns the comment's anchor; null if the comment has none or the text no longer has its words. */
function validAnchorOf({ anchor }: Comment) {
  return anchor && !anchor.orphaned ? anchor : null;
}

/** Sorts threads by the position of their words in the text; threads without words come last. */
export function threadsInTextOrder(text: Element | null, threads: readonly CommentThread[]): CommentThread[] {
  if (!text) return [...threads];
  const blocks = new Map(readArticleText(text).blocks.map(({ key, start }) => [key, start]));
  const offsetOfThread = ({ first }: CommentThread) => {
    const place = validAnchorOf(first);
    const start = place && blocks.get(place.block);
    return place && start !== null && start !== undefined ? start + place.start : Number.MAX_SAFE_INTEGER;
  };
  const known = new Map(threads.map((thread) => [thread.id, offsetOfThread(thread)]));
  return threads.toSorted((a, b) => (known.get(a.id) ?? 0) - (known.get(b.id) ?? 0));
}

/** Scrolls to a thread's words. @returns false if the text no longer has them */
export function scrollToThread(text: Element | null, thread: CommentThread): boolean {
  const place = validAnchorOf(thread.first);
  const range = text && place && anchorRangeOf(readArticleText(text), place);
  const parent = range?.startContainer.parentElement;
  parent?.scrollIntoView({ block: "center" });
  return parent !== null && parent !== undefined;
}

/** Calls `choose` with the thread's id when the user clicks highlighted words, except on links and controls. */
export function useThreadChoiceByClick(
  text: Element | null,
  threads: readonly CommentThread[],
  choose: (id: string) => void,
): void {
  const clicked = useEffectEvent((event: MouseEvent) => {
    const target = event.target as Element;
    if (!text || target.closest("a, button, input, summary") || !document.getSelection()?.isCollapsed) return;
    const id =
      target.closest<HTMLElement>("mark[data-thread]")?.dataset["thread"] ?? threadIdAtPointer(text, threads, event);
    if (id !== undefined && id !== pendingId) choose(id);
  });
  useEffect(() => {
    if (!(text instanceof HTMLElement)) return;
    const handleClick = (event: MouseEvent) => clicked(event);
    text.addEventListener("click", handleClick);
    return () => text.removeEventListener("click", handleClick);
  }, [text]);
}

/** Returns the id of the last thread whose words are under the pointer; undefined if there is none. */
function threadIdAtPointer(
  text: Element,
  threads: readonly CommentThread[],
  { clientX, clientY }: MouseEvent,
): string | undefined {
  const caret = caretAtPoint(clientX, clientY);
  if (!caret) return undefined;
  const article = readArticleText(text);
  const at = characterIndexAt(article, caret.node, caret.offset);
  if (at === -1) return undefined;
  const starts = new Map(article.blocks.map(({ key, start }) => [key, start]));
  const found = threads.findLast(({ first }) => {
    const place = validAnchorOf(first);
    const start = place && starts.get(place.block);
    return place && start !== null && start !== undefined && at >= start + place.start && at < start + place.end;
  });
  return found?.id;
}

/**
 * Returns the caret position at a point of the window; null if there is none. Browsers have two different functions for
 * this.
 */
function caretAtPoint(x: number, y: number): { node: Node; offset: number } | null {
  if ("caretPositionFromPoint" in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret && { node: caret.offsetNode, offset: caret.offset };
  }
  const older = document as unknown as { caretRangeFromPoint?: (x: number, y: number) => Range | null };
  const range = older.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

export interface SelectionInArticle {
  chosen: SelectedText;
  /** The end of the selection's last line, relative to the article's box. */
  at: { top: number; left: number };
}

const selectionPauseMs = 150;

/**
 * Returns the selected words of the article once the selection stays the same for a moment; null without a selection
 * and while `enabled` is false.
 */
export function useTextSelection(text: Element | null, enabled: boolean): SelectionInArticle | null {
  const [selected, setSelected] = useState<SelectionInArticle | null>(null);
  useEffect(() => {
    if (!text || !enabled) return;
    let timer: ReturnType<typeof setTimeout>;
    const readSelection = () => setSelected(selectionInText(text));
    const onSelectionChange = () => {
      clearTimeout(timer);
      if (document.getSelection()?.isCollapsed !== false) return readSelection();
      timer = setTimeout(readSelection, selectionPauseMs);
    };
    document.addEventListener("selectionchange", onSelectionChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("selectionchange", onSelectionChange);
    };
  }, [text, enabled]);
  return enabled ? selected : null;
}

function selectionInText(text: Element): SelectionInArticle | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(text)) return null;
  const chosen = selectedTextOf(readArticleText(text), range);
  if (!chosen) return null;
  const box = (text.parentElement ?? text).getBoundingClientRect();
  // jsdom has no layout and lacks this function.
  const lines = typeof range.getClientRects === "function" ? [...range.getClientRects()] : [];
  const inside = lines.findLast(({ bottom, width }) => width > 0 && bottom <= box.bottom + 1) ?? box;
  const left = Math.max(0, Math.min(inside.right - box.left - 60, box.width - 150));
  return { chosen, at: { top: inside.bottom - box.top + 6, left } };
}
