/** Keeps what is typed in this browser, and offers what was found there. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { SopForm } from "#core/sops/schema.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./edit-texts.ts";
import { draftKey, dropDraft, readDraft, writeDraft, type Draft } from "./edit-draft.ts";

const restMs = 1000;

export interface DraftControl {
  /** Unsaved text of an earlier visit, until it is answered. */
  found: Draft | null;
  answer(): void;
  /** Called at every change; writes when the typing rests. */
  keep(): void;
  /** Saved or given up: nothing is left behind. */
  drop(): void;
}

/** @param read what to keep now; null when there is nothing unsaved */
export function useDraft(
  userId: string,
  sopId: string | null,
  read: () => Omit<Draft, "savedAt"> | null,
  differs: (values: SopForm) => boolean,
): DraftControl {
  const toast = useToast();
  const key = draftKey(userId, sopId);
  const [found, setFound] = useState<Draft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDropped = useRef(false);
  const latest = useRef({ read, differs });
  useEffect(() => {
    latest.current = { read, differs };
  });

  const writeNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const draft = latest.current.read();
    if (draft) void writeDraft(key, { ...draft, savedAt: new Date().toISOString() });
  }, [key]);

  useEffect(() => {
    void readDraft(key).then((draft) => setFound(draft && latest.current.differs(draft.values) ? draft : null));
    const onHide = () => timer.current !== undefined && writeNow();
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("pagehide", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("pagehide", onHide);
    };
  }, [key, writeNow]);

  // Leaving for another screen, or for the sign-in because the session ended: the text waits for the way back. Before the
  // editor below is gone, which alone knows what was typed since the typing last rested.
  useLayoutEffect(
    () => () => {
      if (isDropped.current || !latest.current.read()) return;
      writeNow();
      toast({ title: texts.kept, description: texts.keptText });
    },
    [writeNow, toast],
  );

  const keep = useCallback(() => {
    isDropped.current = false;
    clearTimeout(timer.current);
    timer.current = setTimeout(writeNow, restMs);
  }, [writeNow]);
  const drop = useCallback(() => {
    isDropped.current = true;
    clearTimeout(timer.current);
    timer.current = undefined;
    void dropDraft(key);
  }, [key]);

  return { found, answer: () => setFound(null), keep, drop };
}
