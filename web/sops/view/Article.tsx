/** Shows the sanitized HTML of an SOP's text, with functions such as folds, links to steps and images to enlarge. */
import "../../editor/alerts.css";
import { useCallback, useEffect, useState } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { TextAttributes } from "../direction.ts";
import { findAnchoredElement, openFoldsAround } from "./anchors.ts";
import { RenderedText } from "./RenderedText.tsx";
import { dialogAround } from "./use-text-links.ts";

const OpenFolds = lazyPart(() => import("./OpenFolds.tsx").then((module) => module.OpenFolds));

export interface ArticleProps extends TextAttributes {
  html: string;
  /** Called with the element of the text, and with null when it is removed. */
  onShown?: ((article: HTMLElement | null) => void) | undefined;
  /** True if the author's folds are open, for readers who approve the text. */
  isWhole?: boolean;
}

export function Article({ html, dir, lang, onShown, isWhole = false }: ArticleProps) {
  const [text, setText] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (text) scrollToAnchorInAddress(text);
  }, [text]);
  const show = useCallback(
    (article: HTMLElement | null) => {
      if (isWhole) for (const fold of article?.querySelectorAll("details") ?? []) fold.open = true;
      setText(article);
      onShown?.(article);
    },
    [onShown, isWhole],
  );

  return (
    <>
      <RenderedText html={html} dir={dir} lang={lang} className="reading numbered" onShown={show} />
      {text && !isWhole && html.includes("<details") && <OpenFolds {...{ text, html }} />}
    </>
  );
}

/**
 * Scrolls to the anchor in the address, unless the text is in a dialog over the page. The browser can't, because the
 * text appears after it has looked for the anchor.
 */
function scrollToAnchorInAddress(text: HTMLElement): void {
  if (dialogAround(text)) return;
  const target = findAnchoredElement(text, window.location.hash);
  if (!target) return;
  openFoldsAround(target);
  target.scrollIntoView();
}
