/** Stores unsent comments outside the components, so that they stay when the list of comments changes. */
import { createContext, use, useSyncExternalStore } from "react";

/**
 * Typed texts by key, such as `new`, `reply:<thread>` or `edit:<comment>`. The page of pending approvals adds keys of
 * its own.
 */
export interface CommentDraftStore {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  clear(key: string): void;
  /**
   * Removes and returns typed replies to deleted comments and edits of deleted comments.
   * @param ids the ids of all comments that exist
   */
  takeOfDeletedComments(ids: ReadonlySet<string>): string[];
  subscribe(listener: () => void): () => void;
}

export function createCommentDrafts(): CommentDraftStore {
  const drafts = new Map<string, string>();
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  return {
    get: (key) => drafts.get(key),
    set(key, text) {
      drafts.set(key, text);
      notifyListeners();
    },
    clear(key) {
      if (drafts.delete(key)) notifyListeners();
    },
    takeOfDeletedComments(ids) {
      const lost = [...drafts].filter(([key]) => key.includes(":") && !ids.has(key.slice(key.indexOf(":") + 1)));
      for (const [key] of lost) drafts.delete(key);
      return lost.flatMap(([, text]) => (text.trim() === "" ? [] : [text]));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const CommentDrafts = createContext<CommentDraftStore>(createCommentDrafts());

/** Returns the typed text under a key, or `initial` if there is none, with functions to set and clear the text. */
export function useCommentDraft(
  key: string,
  initial = "",
): [text: string, set: (text: string) => void, clear: () => void] {
  const drafts = use(CommentDrafts);
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  return [text ?? initial, (next) => drafts.set(key, next), () => drafts.clear(key)];
}
