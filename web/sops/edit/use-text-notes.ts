/** How the latest save or paste changed the text: a toast says so, and leads to the notes above the text. */
import { useRef, useState } from "react";
import type { ToastContent } from "../../ui/ToastRegion.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { showTextNotes } from "../TextNotes.tsx";
import { textNoteTexts as texts } from "../note-texts.ts";

const none = { title: "", lines: [] as readonly string[] };
const readingMs = 20_000;

export function useTextNotes() {
  const toast = useToast();
  /** Of the latest save; the page that opens next shows them too. */
  const saved = useRef<readonly string[]>([]);
  const [shown, setShown] = useState(none);
  const leadsThere = { action: { label: texts.show, onClick: showTextNotes }, ms: readingMs };

  return {
    shown,
    close: () => {
      saved.current = [];
      setShown(none);
    },
    ofSave: () => saved.current,
    /** A save by itself repeats no note: the text on the screen is still the one that was sent. */
    saved(lines: readonly string[], isAutomatic: boolean): void {
      if (isAutomatic && lines.join("\n") === saved.current.join("\n")) return;
      saved.current = lines;
      setShown({ title: texts.saved, lines });
      if (isAutomatic && lines.length > 0) toast({ title: texts.saved, ...leadsThere });
    },
    /** The toast of a save, with a way to its notes. */
    withNotes: (content: ToastContent): ToastContent =>
      saved.current.length === 0 ? content : { description: texts.saved, ...content, ...leadsThere },
    pasted(lines: readonly string[]): void {
      const showAll = () => {
        setShown({ title: texts.pasted, lines });
        showTextNotes();
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
