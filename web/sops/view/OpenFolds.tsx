/** Opens an author's folds around what protects. Loaded for texts with folds only. A phone's text has them open already. */
import { useEffect } from "react";
import { openFolds } from "#core/steps/open-folds.ts";

export function OpenFolds({ text }: { text: HTMLElement }) {
  useEffect(() => {
    if (text.querySelector(".before-steps") !== null) return;
    for (const fold of openFolds<Element>(text.children)) fold.setAttribute("open", "");
  }, [text]);
  return null;
}
