/** Decides when the bars beside and below the text are shown. */
import { useState, type FocusEvent, type KeyboardEvent } from "react";
import type { ToolbarState } from "./toolbar-state.ts";

interface EditorBars {
  /** True if the focus is in the text, in a bar or in a bar's menu. */
  isIn: boolean;
  /** True if the bar at the selection is shown. */
  isShown: boolean;
  /** True if a key opened the bar. */
  isOpenedByKey: boolean;
  onFocus(event: FocusEvent): void;
  onBlur(event: FocusEvent): void;
  onKeyDown(event: KeyboardEvent, focusText: () => void): void;
}

export function useEditorBars({ from, to }: ToolbarState): EditorBars {
  const [isIn, setIn] = useState(false);
  const [isOpenedByKey, setAsked] = useState(false);
  const selected = to > from ? `${from} ${to}` : "";
  const [dismissed, setDismissed] = useState("");
  const isShown = isIn && (isOpenedByKey || (selected !== "" && selected !== dismissed));
  return {
    isIn,
    isShown,
    isOpenedByKey,
    onFocus({ target }) {
      setIn(true);
      if (isEditorText(target)) setAsked(false);
    },
    onBlur({ currentTarget, relatedTarget }) {
      const isNear =
        relatedTarget instanceof Element &&
        (currentTarget.contains(relatedTarget) || relatedTarget.closest("[role=menu]") !== null);
      if (!isNear) setIn(false);
    },
    onKeyDown(event, focusText) {
      const { key, altKey, target } = event;
      if (key === "F10" && altKey) {
        event.preventDefault();
        setDismissed("");
        setAsked(true);
      } else if (key === "Escape" && isShown) {
        const isInBar = target instanceof Element && target.closest("[role=toolbar]") !== null;
        // Escape in an open menu closes only the menu.
        if (!isInBar && !isEditorText(target)) return;
        setDismissed(selected);
        setAsked(false);
        if (isInBar) focusText();
      }
    },
  };
}

function isEditorText(target: EventTarget): boolean {
  return target instanceof Element && target.classList.contains("ProseMirror");
}
