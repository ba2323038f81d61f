/**
 * The assistant's panel, beside the page or above it on a small screen. Running requests continue while the panel is
 * closed.
 */
import { Sparkles, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { IconButton } from "../ui/IconButton.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { PanelBody } from "./PanelBody.tsx";
import { placeTexts } from "./place-texts.ts";
import { texts } from "./texts.ts";
import { useDraftGeneration } from "./use-generation.ts";
import { panelId, useAssistantPanel, wasPanelOpenedByUser } from "./use-panel.ts";

export function Assistant() {
  const { isOpen, close } = useAssistantPanel();
  const generation = useDraftGeneration();
  const [question, setQuestion] = useState("");
  const body = <PanelBody generation={generation} question={question} setQuestion={setQuestion} />;
  if (useIsNarrow()) {
    return (
      <Sheet open={isOpen} onOpenChange={close} title={placeTexts.title} side="right" wide>
        <SheetCloser onLeave={close} />
        <div id={panelId} className="flex min-h-0 flex-1 flex-col">
          <AssistantTitle />
          {body}
        </div>
      </Sheet>
    );
  }
  return isOpen && <FloatingPanel onClose={close}>{body}</FloatingPanel>;
}

/** The panel isn't modal, so the page and the save button in its header stay usable. */
function FloatingPanel({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const panel = useRef<HTMLDialogElement>(null);
  const onEscape = useEffectEvent(onClose);
  useEffect(() => {
    const shown = panel.current;
    if (!shown) return;
    if (wasPanelOpenedByUser()) (shown.querySelector<HTMLElement>("textarea:enabled") ?? shown).focus();
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && onEscape();
    shown.addEventListener("keydown", onKey);
    return () => shown.removeEventListener("keydown", onKey);
  }, []);
  return (
    <dialog
      open
      ref={panel}
      id={panelId}
      aria-labelledby={`${panelId}-title`}
      tabIndex={-1}
      data-print="hide"
      // The panel ends above a bar at the bottom of the screen, so that the bar's button stays visible.
      className="fixed inset-auto top-46 right-4 bottom-4 in-[:has([data-bottom-bar])]:bottom-20 z-30 m-0 mr-(--scrollbar) flex h-auto w-96 animate-rise flex-col rounded-lg border border-line bg-surface p-0 text-text shadow-float outline-none"
    >
      <AssistantTitle>
        <IconButton label={texts.close} size="sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </AssistantTitle>
      {children}
    </dialog>
  );
}

function AssistantTitle({ children }: { children?: ReactNode }) {
  return (
    <div className="flex h-14 shrink-0 items-center gap-2 border-b border-line pr-3 pl-4">
      <Sparkles aria-hidden className="size-4 text-accent" />
      <h2 id={`${panelId}-title`} className="flex-1 text-base font-semibold">
        {placeTexts.title}
      </h2>
      {children}
    </div>
  );
}

/** Closes the assistant's sheet when the address changes, because the sheet would cover the new page. */
function SheetCloser({ onLeave }: { onLeave(): void }) {
  const { key } = useLocation();
  const arrival = useRef(key);
  useEffect(() => {
    if (key !== arrival.current) onLeave();
  });
  return null;
}

const narrowScreen = "(width < 40rem)";

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(narrowScreen);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => window.matchMedia(narrowScreen).matches,
  );
}
