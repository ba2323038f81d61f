/** Stores whether the assistant's panel is open, per browser. */
import { useStoredChoice } from "../ui/use-stored.ts";

export const panelId = "ai-assistant";

/**
 * The element that opened the panel and gets the focus back. Null if the panel is closed, or was already open when the
 * page loaded.
 */
let opener: Element | null = null;

export interface AssistantPanel {
  isOpen: boolean;
  open(): void;
  close(): void;
  toggle(): void;
}

export function useAssistantPanel(): AssistantPanel {
  const [value, set] = useStoredChoice("ai-panel", ["open", "closed"], "closed");
  const isOpen = value === "open";
  const openPanel = () => {
    opener = document.activeElement;
    set("open");
  };
  const closePanel = () => {
    const back = opener;
    opener = null;
    const shown = document.getElementById(panelId)?.closest("dialog,[role=dialog]");
    const hadFocus = shown?.contains(document.activeElement) ?? false;
    set("closed");
    if (!hadFocus) return;
    // The panel has buttons in the sidebar, the bars and the edit screen's menu. The focus goes to the visible one.
    requestAnimationFrame(() => {
      const openers = [...document.querySelectorAll("[data-assistant-open]")].toReversed();
      for (const next of [back, ...openers]) {
        if (next instanceof HTMLElement && next !== document.body) next.focus();
        if (document.activeElement === next) return;
      }
    });
  };
  return { isOpen, open: openPanel, close: closePanel, toggle: isOpen ? closePanel : openPanel };
}

/**
 * Says whether the user opened the panel on this page. The panel doesn't take the focus if it was open from the start.
 */
export function wasPanelOpenedByUser(): boolean {
  return opener !== null;
}
