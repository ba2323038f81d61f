/** The sanitized HTML of a text with additional functions. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { isTextRightToLeft, measurePattern } from "#core/export/direction.ts";
import { fromRight } from "#core/text/clean-text.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { Direction, TextAttributes } from "../direction.ts";
import { catalog } from "#core/language/catalog.ts";
import { useTextLinks } from "./use-text-links.ts";

const texts = catalog("sops.view.rendered", { task: "Task" });

const CodeBlocks = lazyPart(() => import("./CodeBlocks.tsx").then((module) => module.CodeBlocks));
const LargeImages = lazyPart(() => import("./LargeImages.tsx").then((module) => module.LargeImages));

interface RenderedTextProps extends TextAttributes {
  html: string;
  className: string;
  /** Called with the element of the text, and with null when it is removed. A changed text has a new element. */
  onShown?: ((text: HTMLElement | null) => void) | undefined;
}

export function RenderedText({ html, dir, lang, className, onShown }: RenderedTextProps): ReactNode {
  const onClick = useTextLinks();
  const [text, setText] = useState<HTMLElement | null>(null);
  const content = useMemo(() => ({ __html: prepareTextHtml(html, dir) }), [html, dir]);
  useEffect(() => (text ? makeTextAccessible(text) : undefined), [text]);
  useEffect(() => {
    if (!text) return undefined;
    onShown?.(text);
    return () => onShown?.(null);
  }, [text, onShown]);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- catches the clicks of the links inside, which the keyboard makes too */}
      <div key={html} ref={setText} {...{ dir, lang, className, onClick }} dangerouslySetInnerHTML={content} />
      {text && hasCode(html) && <CodeBlocks text={text} />}
      {text && html.includes("<img") && <LargeImages text={text} />}
    </>
  );
}

const hasCode = (html: string) => html.includes("<pre>");

/**
 * Prepares the HTML. Each code block gets a frame with its button from the start, because comments refer to its words,
 * which can't move later. In right-to-left texts, blocks without right-to-left letters keep the order of their words.
 * In blocks with such letters, numbers keep their unit.
 */
function prepareTextHtml(html: string, dir: Direction): string {
  if (!hasCode(html) && dir === "ltr" && !fromRight.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const block of body.querySelectorAll("p, li, td, th, h1, h2, h3, h4, h5, h6, figcaption, summary")) {
    const isFromRight = isTextRightToLeft(block.textContent, true);
    if (dir === "rtl") block.classList.toggle("from-left", !isFromRight);
    if (isFromRight) isolateMeasures(block);
  }
  for (const code of body.querySelectorAll("pre")) {
    const frame = body.ownerDocument.createElement("div");
    frame.className = "code-frame";
    code.replaceWith(frame);
    frame.append(code);
  }
  return body.innerHTML;
}

/**
 * Keeps a number and its unit together. Otherwise a browser shows "80 °C" as "C° 80" in right-to-left text. An element
 * is used, because a control character would be copied along with the text.
 */
function isolateMeasures(block: Element): void {
  const { ownerDocument } = block;
  const walker = ownerDocument.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  for (const text of found) {
    if (text.parentElement?.closest("pre, code, bdi")) continue;
    for (const { 0: measure, index } of [...text.data.matchAll(measurePattern)].toReversed()) {
      const own = text.splitText(index);
      own.splitText(measure.length);
      const isolated = ownerDocument.createElement("bdi");
      isolated.dir = "ltr";
      own.replaceWith(isolated);
      isolated.append(own);
    }
  }
}

/** @returns a function that stops the observers */
export function makeTextAccessible(text: HTMLElement): () => void {
  // A scrollable element must be focusable by keyboard as soon as the window is narrow enough to need scrolling.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const wide of text.querySelectorAll("pre, table")) sizes.observe(wide);
  for (const box of text.querySelectorAll<HTMLInputElement>("li input[type=checkbox]")) {
    box.ariaLabel = box.closest("p, li")?.textContent.trim().slice(0, 80) || texts.task;
  }
  return () => sizes.disconnect();
}
