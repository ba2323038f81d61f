/**
 * Opens collapsed sections that contain safety information. It loads only for texts with such sections. On a phone they
 * are open already.
 */
import { useEffect } from "react";
import { openFolds } from "#core/steps/open-folds.ts";

export function OpenFolds({ text }: { text: HTMLElement }) {
  useEffect(() => {
    if (text.querySelector(".before-steps") !== null) return;
    for (const fold of openFolds<Element>(text.children)) fold.setAttribute("open", "");
  }, [text]);
  return null;
}
