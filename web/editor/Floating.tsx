/** A box beside a place in the text. It stands in the text's own frame, so that it moves with it, and stays on screen. */
import type { EditorView } from "@milkdown/kit/prose/view";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useRef, type ComponentProps, type RefObject } from "react";

interface FloatingProps extends Omit<ComponentProps<"div">, "ref"> {
  view: EditorView;
  /** A position in its text. */
  at: number;
  ref?: RefObject<HTMLDivElement | null>;
}

const gap = 6;
const edge = 8;
const tallest = 336;
/** The frame's own bar lies over what is scrolled below it. */
const topBar = 56;

export function Floating({ view, at, ref, className, ...props }: FloatingProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;
  useLayoutEffect(() => {
    if (box.current) put(box.current, view, at);
  });
  useEffect(() => {
    const again = (): void => {
      if (box.current) put(box.current, view, at);
    };
    // the text breaks its lines anew when its frame gets narrower, which a scroll bar does too
    const frame = new ResizeObserver(again);
    if (box.current?.offsetParent) frame.observe(box.current.offsetParent);
    window.addEventListener("resize", again);
    return () => {
      frame.disconnect();
      window.removeEventListener("resize", again);
    };
  }, [box, view, at]);
  useEffect(() => {
    // opened near the end of a screen it may not fit beside its place at all
    box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [box]);
  return (
    <div
      ref={box}
      {...props}
      className={clsx(
        // with less motion every change is a transition, however short: what is measured must not wait for it
        "absolute z-20 animate-appear transition-none rounded-md border border-line bg-surface text-sm shadow-float",
        className,
      )}
    />
  );
}

/** Below its place; above where there is more room. */
function put(box: HTMLElement, view: EditorView, at: number): void {
  const frame = box.offsetParent?.getBoundingClientRect();
  const { clientHeight } = document.documentElement;
  // narrower than the window by a scroll bar, or by the room that is kept for one
  const { clientWidth } = document.body;
  if (!frame) return;
  // the text may have become shorter since it was asked for
  const { left, top, bottom } = view.coordsAtPos(Math.min(at, view.state.doc.content.size));
  box.style.maxWidth = `${clientWidth - 2 * edge}px`;
  const [above, below] = [top - topBar - gap - edge, clientHeight - bottom - gap - edge];
  const full = Math.min(tallest, box.scrollHeight + 2);
  const isBelow = below >= full || below >= above;
  box.style.maxHeight = `${Math.max(120, Math.min(tallest, isBelow ? below : above))}px`;
  // as wide as it may be: where it stood before it was perhaps squeezed against the edge
  box.style.left = `${edge - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const fit = Math.max(edge, Math.min(left, clientWidth - width - edge));
  box.style.left = `${fit - frame.left}px`;
  box.style.top = `${(isBelow ? bottom + gap : top - gap - height) - frame.top}px`;
}
