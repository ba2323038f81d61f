/** Keeps what is typed in this browser, and offers what was found there. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { newId } from "#core/ids.ts";
import type { SopForm } from "#core/sops/schema.ts";
import { useToast } from "../../ui/Toast.tsx";
import { texts } from "./edit-texts.ts";
import { draftsOf, dropDraft, placeOf, writeDraft, type FoundDraft } from "./edit-draft.ts";
import { jot, type Draft } from "./jotted-drafts.ts";

const restMs = 1000;
/** Who never rests is waited for no longer. */
const mostMs = 5000;

export interface DraftControl {
  /** Unsaved text of an earlier visit or of another tab, the newest first, until it is answered. */
  found: FoundDraft | null;
  /** The one found is in the form from now on; what stood there, if it was unsaved, is offered next. */
  take(): void;
  /** The one found is given up. */
  discard(): void;
  /** Called at every change; writes when the typing rests. */
  keep(): void;
  /** Saved or given up: of this visit nothing is left behind, what others wrote stays. */
  drop(): void;
  /** What is kept from here on belongs to this SOP; null: to a new one. */
  moveTo(sopId: string | null): void;
}

/** @param read what to keep now; null when there is nothing unsaved */
export function useDraft(
  userId: string,
  sopId: string | null,
  read: () => Omit<Draft, "savedAt"> | null,
  differs: (values: SopForm) => boolean,
): DraftControl {
  const toast = useToast();
  const [place] = useState(() => placeOf(userId, sopId));
  const [found, setFound] = useState<readonly FoundDraft[]>([]);
  // each visit has its own: tabs on one SOP, or two that begin a new one, never write over each other
  const [visit] = useState(newId);
  const own = useRef(`${place}/${visit}`);
  /** What the next thing kept contains: it goes then, not before. */
  const contained = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Since when something waits to be written. */
  const since = useRef<number>(undefined);
  /** Written and not yet stored. */
  const underWay = useRef(0);
  const isDropped = useRef(false);
  const latest = useRef({ read, differs });
  useEffect(() => {
    latest.current = { read, differs };
  });

  const rest = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    since.current = undefined;
  }, []);
  /** @param isLeaving what is not stored at once may never be */
  const writeNow = useCallback(
    (isLeaving = false): { draft: FoundDraft; isKept: Promise<boolean> } | null => {
      rest();
      const now = latest.current.read();
      if (!now) return null;
      const draft = { ...now, savedAt: new Date().toISOString() };
      const gone = [...contained.current];
      const key = own.current;
      const isJotted = isLeaving && jot(key, draft);
      underWay.current += 1;
      const isKept = writeDraft(key, draft).then((isStored) => {
        underWay.current -= 1;
        if (!isStored && !isJotted && !jot(key, draft)) return false;
        contained.current = contained.current.filter((other) => !gone.includes(other));
        gone.forEach((other) => void dropDraft(other));
        return true;
      });
      return { draft: { ...draft, key }, isKept };
    },
    [rest],
  );

  useEffect(() => {
    void draftsOf(place).then((drafts) =>
      setFound(drafts.filter(({ key, values }) => key !== own.current && latest.current.differs(values))),
    );
    const onHide = () => (timer.current !== undefined || underWay.current > 0) && writeNow(true);
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("pagehide", onHide);
    return () => {
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("pagehide", onHide);
    };
  }, [place, writeNow]);

  // Leaving for another screen, or for the sign-in because the session ended: the text waits for the way back. Before the
  // editor below is gone, which alone knows what was typed since the typing last rested.
  useLayoutEffect(
    () => () => {
      if (isDropped.current || !latest.current.read()) return;
      void writeNow(true)?.isKept.then((isKept) =>
        toast(
          isKept
            ? { title: texts.kept }
            : { title: texts.notKept, description: texts.notKeptText, variant: "destructive" },
        ),
      );
    },
    [writeNow, toast],
  );

  const keep = useCallback(() => {
    isDropped.current = false;
    clearTimeout(timer.current);
    const now = Date.now();
    since.current ??= now;
    timer.current = setTimeout(writeNow, Math.min(restMs, since.current + mostMs - now));
  }, [writeNow]);
  const drop = useCallback(() => {
    isDropped.current = true;
    rest();
    for (const key of [own.current, ...contained.current]) void dropDraft(key);
    contained.current = [];
  }, [rest]);
  const moveTo = (id: string | null): void => {
    contained.current.push(own.current);
    own.current = `${placeOf(userId, id)}/${newId()}`;
    // the other new ones wait for the next new one
    setFound([]);
  };

  const [next, ...others] = found;
  return {
    found: next ?? null,
    take() {
      if (!next) return;
      const mine = isDropped.current ? null : writeNow();
      if (mine) own.current = `${own.current.slice(0, own.current.lastIndexOf("/"))}/${newId()}`;
      contained.current.push(next.key);
      setFound(mine ? [...others, mine.draft] : others);
    },
    discard() {
      if (next) void dropDraft(next.key);
      setFound(others);
    },
    keep,
    drop,
    moveTo,
  };
}
