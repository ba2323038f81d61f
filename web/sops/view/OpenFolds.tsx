/**
 * Opens collapsed sections that contain safety information. It loads only for texts with such sections. On a phone they
 * are open already.
 */
import { useEffect } from "react";
import { openShownFolds } from "./text-steps.ts";

export function OpenFolds({ text, html }: { text: HTMLElement; html: string }) {
  useEffect(() => {
    if (text.querySelector(".before-steps") === null) openShownFolds(text, html);
  }, [text, html]);
  return null;
}
