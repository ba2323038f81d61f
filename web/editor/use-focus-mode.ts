import { useEffect, useState } from "react";
import { useCommand } from "../shortcuts/use-command.ts";

/** Focus mode shows only the text. It hides all elements that the page marks with `data-leaves-in-focus`. */
export function useFocusMode(): { isOn: boolean; toggle(): void } {
  const [isOn, setOn] = useState(false);
  const toggle = (): void => setOn(!isOn);
  useCommand("focusMode", toggle);
  useEffect(() => {
    document.documentElement.toggleAttribute("data-focus-mode", isOn);
    return () => document.documentElement.removeAttribute("data-focus-mode");
  }, [isOn]);
  return { isOn, toggle };
}
