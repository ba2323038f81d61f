/**
 * Opens collapsed sections that contain safety information. It loads only for texts with such sections. On a phone they
 * are open already.
 */
import { useEffect } from "react";
import { notOfTextAttribute } from "../../comments/not-of-text.ts";
import { openShownFolds } from "./text-steps.ts";

export function OpenFolds({ text, html }: { text: HTMLElement; html: string }) {
  useEffect(() => {
    if (text.querySelector(".before-steps") === null) openShownFolds(text, html, notOfTextAttribute);
  }, [text, html]);
  return null;
}
