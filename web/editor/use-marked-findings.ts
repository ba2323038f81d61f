import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, useEffectEvent } from "react";
import { markFindings, type Checked } from "./findings.ts";

const nothing: Checked = { markdown: "", findings: [] };

/**
 * Marks what was found, if the text is still the one it was found in; else the marks that are there move with it.
 * @param onMarked told when other findings are marked than before
 */
export function useMarkedFindings(
  view: EditorView | null,
  checked: Checked | null,
  read: () => string,
  onMarked: (view: EditorView) => void,
): void {
  const mark = useEffectEvent(async (isWanted: () => boolean) => {
    if (!view || view.isDestroyed) return;
    if (!checked || checked.findings.length === 0) {
      markFindings(view, nothing, []);
      return onMarked(view);
    }
    // most texts are opened without a finding to mark
    const { placeFindings } = await import("./finding-places.ts");
    if (!isWanted() || view.isDestroyed || read() !== checked.markdown) return;
    markFindings(view, checked, placeFindings(view.state.doc, checked.markdown, checked.findings));
    onMarked(view);
  });
  useEffect(() => {
    let isWanted = true;
    // without the code that places them they stand in the list beside the text
    mark(() => isWanted).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [view, checked]);
}
