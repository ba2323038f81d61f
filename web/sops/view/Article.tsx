/** The text of an SOP as HTML, sanitized when it was rendered, with additional functions. */
import "../../editor/alerts.css";
import { useCallback, useEffect, useState, type MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { TextAttributes } from "../direction.ts";
import { RenderedText } from "./RenderedText.tsx";

const OpenFolds = lazyPart(() => import("./OpenFolds.tsx").then((module) => module.OpenFolds));

export interface ArticleProps extends TextAttributes {
  html: string;
  /** Called with the element of the text, and with null when it is removed. */
  onShown?: ((article: HTMLElement | null) => void) | undefined;
  /** True if the author's folds are open, for readers who approve the text. */
  isWhole?: boolean;
}

export function Article({ html, dir, lang, onShown, isWhole = false }: ArticleProps) {
  const navigate = useNavigate();
  const [text, setText] = useState<HTMLElement | null>(null);
  useEffect(scrollToAnchor, [html]);
  const show = useCallback(
    (article: HTMLElement | null) => {
      if (isWhole) for (const fold of article?.querySelectorAll("details") ?? []) fold.open = true;
      setText(article);
      onShown?.(article);
    },
    [onShown, isWhole],
  );

  /** Opens links to other screens without reloading the application. */
  const followLink = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    const href = link?.getAttribute("href") ?? "";
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || !href.startsWith("/") || href.startsWith("/api/")) return;
    event.preventDefault();
    void navigate(href);
  };

  return (
    <>
      <RenderedText
        html={html}
        dir={dir}
        lang={lang}
        className="reading numbered"
        onShown={show}
        onClick={followLink}
      />
      {text && !isWhole && html.includes("<details") && <OpenFolds {...{ text, html }} />}
    </>
  );
}

/**
 * Scrolls to the anchor in the address. The browser can't, because the text appears after it has looked for the anchor.
 */
function scrollToAnchor(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (id === "") return;
  // Links in files and from other SOPs name a heading without the prefix that its id has here.
  const target = document.getElementById(id) ?? document.getElementById(`user-content-${id}`);
  const fold = target?.closest("details");
  if (fold) fold.open = true;
  target?.scrollIntoView();
}
