/** Shows the headings of a long text beside it, if there is room. */
import { clsx } from "clsx";
import { TextSelection } from "@milkdown/kit/prose/state";
import type { Node } from "@milkdown/kit/prose/model";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, useRef, useState } from "react";
import { texts } from "./texts.ts";
import { heightCoveredAbove } from "./window-room.ts";

interface OutlineProps {
  view: EditorView;
  /** The text when the user last paused typing. Positions are read from the current text when needed. */
  doc: Node;
}

interface OutlineHeading {
  text: string;
  level: number;
}

/** The outline is shown from this number of headings on. A text with fewer headings needs none. */
const minOutlineHeadings = 3;

export function Outline({ view, doc }: OutlineProps) {
  const list = useRef<HTMLElement>(null);
  const [current, setCurrent] = useState(0);
  const headings = outlineHeadingsOf(doc);
  const isShown = headings.length >= minOutlineHeadings;
  useEffect(() => {
    if (!isShown) return undefined;
    let frame = 0;
    const findCurrent = (): void => {
      frame = 0;
      const line = heightCoveredAbove() + 24;
      const passed = headingElementsOf(view).filter((one) => one.getBoundingClientRect().top <= line).length;
      setCurrent(Math.max(0, passed - 1));
    };
    const onScroll = (): void => {
      frame ||= requestAnimationFrame(findCurrent);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      window.removeEventListener("scroll", onScroll);
      cancelAnimationFrame(frame);
    };
  }, [view, isShown]);
  useEffect(() => {
    const own = list.current;
    if (!own) return undefined;
    // An open drawer can take the room beside the text. The outline is hidden if it would be cut off.
    const room = new IntersectionObserver(
      ([seen]) => own.parentElement?.classList.toggle("invisible", (seen?.intersectionRatio ?? 1) < 0.98),
      // a sidebar is beside `main`, not in it
      { root: own.closest("main"), rootMargin: "100000px 0px", threshold: [0.9, 0.98, 1] },
    );
    room.observe(own);
    return () => room.disconnect();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div className="editor-outline">
      <nav ref={list} aria-label={texts.outline}>
        {headings.map(({ text, level }, index) => (
          <button
            key={`${index} ${text}`}
            type="button"
            dir="auto"
            aria-current={index === current || undefined}
            className={clsx(level > 2 && "pl-6!")}
            onClick={() => goToHeading(view, index)}
          >
            {text}
          </button>
        ))}
      </nav>
    </div>
  );
}

/** Returns the headings of levels 2 and 3 that have words and aren't inside a box or list. */
function outlineHeadingsOf(doc: Node): OutlineHeading[] {
  const found: OutlineHeading[] = [];
  doc.forEach((node) => {
    if (node.type.name === "heading") found.push({ text: node.textContent, level: Number(node.attrs["level"]) });
  });
  return found.filter(({ text, level }) => text !== "" && level <= 3);
}

function headingElementsOf(view: EditorView): Element[] {
  return [...view.dom.querySelectorAll(":scope > :is(h2, h3)")].filter(({ textContent }) => textContent !== "");
}

function goToHeading(view: EditorView, index: number): void {
  const heading = headingElementsOf(view)[index];
  if (!heading) return;
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(view.posAtDOM(heading, 0)))));
  view.focus();
  const { top } = heading.getBoundingClientRect();
  window.scrollBy({ top: top - heightCoveredAbove() });
}
