/** The text of an SOP: HTML that was sanitised where it was rendered, made comfortable to use. */
import "../../editor/alerts.css";
import "./article.css";
import { useEffect, useMemo, useRef, type MouseEvent } from "react";
import { useNavigate } from "react-router-dom";

export interface ArticleProps {
  html: string;
  /** Gets the element, and null when it is gone. */
  onShown?: ((article: HTMLElement | null) => void) | undefined;
}

export function Article({ html, onShown }: ArticleProps) {
  const article = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const content = useMemo(() => ({ __html: html }), [html]);

  useEffect(() => {
    scrollToAnchor();
    return article.current ? makeAccessible(article.current) : undefined;
  }, [html]);
  useEffect(() => {
    onShown?.(article.current);
    return () => onShown?.(null);
  }, [onShown]);

  /** A link to another screen of ours does not reload the application. */
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    const href = link?.getAttribute("href") ?? "";
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || !href.startsWith("/") || href.startsWith("/api/")) return;
    event.preventDefault();
    void navigate(href);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- catches the clicks of the links inside, which the keyboard makes too
    <div ref={article} className="reading numbered" onClick={follow} dangerouslySetInnerHTML={content} />
  );
}

/** @returns ends what it watches */
export function makeAccessible(article: HTMLElement): () => void {
  // what scrolls must be reachable by keyboard, and does so as soon as a window is narrow enough
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const wide of article.querySelectorAll("pre, table")) sizes.observe(wide);
  for (const box of article.querySelectorAll<HTMLInputElement>(
    "li > input[type=checkbox], li > p > input[type=checkbox]",
  )) {
    box.ariaLabel = box.parentElement?.textContent.trim().slice(0, 80) || "Task";
  }
  return () => sizes.disconnect();
}

/** The browser looked for the anchor before the text was there. */
function scrollToAnchor(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (id === "") return;
  // files and other SOPs name a heading without our prefix
  const target = document.getElementById(id) ?? document.getElementById(`user-content-${id}`);
  const fold = target?.closest("details");
  if (fold) fold.open = true;
  target?.scrollIntoView();
}
