/** Reports how the latest save or paste changed the text. A toast links to the notes above the text. */
import { useRef, useState } from "react";
import type { ToastContent } from "../../ui/ToastRegion.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { scrollToTextNotes } from "../TextNotes.tsx";
import { textNoteTexts as texts } from "../note-texts.ts";

const none = { title: "", lines: [] as readonly string[] };
const readingMs = 20_000;

export function useTextNotes() {
  const toast = useToast();
  /** The notes of the latest save, which the next page shows too. */
  const saved = useRef<readonly string[]>([]);
  const [shown, setShown] = useState(none);
  const leadsThere = { action: { label: texts.show, onClick: scrollToTextNotes }, ms: readingMs };

  return {
    shown,
    close: () => {
      saved.current = [];
      setShown(none);
    },
    savedNotes: () => saved.current,
    /**
     * Shows the notes of a save. An automatic save doesn't repeat the same notes, because the typed text stays on
     * screen.
     */
    showSaved(lines: readonly string[], isAutomatic: boolean): void {
      if (isAutomatic && lines.join("\n") === saved.current.join("\n")) return;
      saved.current = lines;
      setShown({ title: texts.saved, lines });
      if (isAutomatic && lines.length > 0) toast({ title: texts.saved, ...leadsThere });
    },
    /** Adds a button that scrolls to the notes to the toast of a save. */
    withNotes: (content: ToastContent): ToastContent =>
      saved.current.length === 0 ? content : { description: texts.saved, ...content, ...leadsThere },
    showPasted(lines: readonly string[]): void {
      const showAll = () => {
        setShown({ title: texts.pasted, lines });
        scrollToTextNotes();
      };
      toast({
        title: texts.pasted,
        description: (lines.length <= 3
          ? lines
          : [...lines.slice(0, 2), texts.otherKinds({ count: lines.length - 2 })]
        ).join("\n"),
        ms: readingMs,
        ...(lines.length > 3 && { action: { label: texts.showAll, onClick: showAll } }),
      });
    },
  };
}
