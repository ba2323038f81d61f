/** A box beside a place in the text. It is in the text's own frame, so that it moves with it, and stays on screen. */
import type { EditorView } from "@milkdown/kit/prose/view";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useMemo, useRef, type ComponentProps, type RefObject } from "react";

interface FloatingProps extends Omit<ComponentProps<"div">, "ref"> {
  view: EditorView;
  /** A position in its text. */
  at: number;
  /** Where what it must not cover ends; another line perhaps. */
  to?: number;
  /** Above its place for a mouse, below for a finger, where the system's own menu is above. It never scrolls the page. */
  isBeside?: boolean;
  /** With `isBeside`: on this, so that it covers no words, where this is high enough; else below. */
  over?: HTMLElement | null;
  /** It never scrolls: without room it covers its place. */
  isWhole?: boolean;
  ref?: RefObject<HTMLDivElement | null>;
}

const gap = 6;
const edge = 8;
const tallest = 336;
/** As much room is enough below: what is above has been written, and is read while one goes on. */
const enough = 200;
/** The frame's own bar lies over what is scrolled below it. */
export const topBar = 56;

export function Floating({
  view,
  at,
  to = at,
  isBeside = false,
  over = null,
  isWhole = false,
  ref,
  className,
  ...props
}: FloatingProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;
  const last = useRef<Side>(null);
  const place = useMemo(
    () => (over ? placeOver(over) : isBeside ? placeBeside : isWhole ? placeWhole : placeBox),
    [over, isBeside, isWhole],
  );
  useLayoutEffect(() => {
    if (box.current) last.current = place(box.current, view, at, to, last.current);
  });
  useEffect(() => {
    const again = (): void => {
      if (box.current) last.current = place(box.current, view, at, to, last.current);
    };
    const anew = (): void => {
      last.current = null;
      again();
    };
    // the text wraps again when its frame gets narrower, which a scroll bar does too
    const frame = new ResizeObserver(again);
    if (box.current?.offsetParent) frame.observe(box.current.offsetParent);
    const seen = window.visualViewport ?? window;
    seen.addEventListener("resize", anew);
    return () => {
      frame.disconnect();
      seen.removeEventListener("resize", anew);
    };
  }, [box, view, at, to, place]);
  useEffect(() => {
    // near the end of a screen it may not fit beside its place; it can then cover the toolbar, which is why
    // `scrollIntoView`, which keeps clear of that, would go too far
    if (!box.current || isBeside) return;
    const { top, bottom } = box.current.getBoundingClientRect();
    const [up, down] = [top - topBar, bottom + edge - document.documentElement.clientHeight];
    window.scrollBy({ top: up < 0 ? up : Math.max(0, Math.min(up, down)) });
  }, [box, isBeside]);
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

/** Beside what is selected, and always in the window, however much that is. */
function placeBeside(box: HTMLElement, view: EditorView, from: number, to: number): Side {
  const frame = box.offsetParent?.getBoundingClientRect();
  if (!frame) return null;
  const { clientWidth } = document.body;
  const { offsetTop = 0, height: shown = document.documentElement.clientHeight } = window.visualViewport ?? {};
  const most = view.state.doc.content.size;
  const [start, end] = [view.coordsAtPos(Math.min(from, most)), view.coordsAtPos(Math.min(to, most), -1)];
  box.style.maxWidth = `${clientWidth - 2 * edge}px`;
  box.style.left = `${edge - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const [least, lowest] = [offsetTop + topBar + edge, offsetTop + shown - height - edge];
  const [above, below] = [start.top - gap - height, end.bottom + gap];
  const prefersBelow = window.matchMedia("(pointer: coarse)").matches;
  const wanted = prefersBelow ? (below <= lowest ? below : above) : above >= least ? above : below;
  const top = Math.max(least, Math.min(wanted, lowest));
  const left = Math.max(edge, Math.min(start.left, clientWidth - width - edge));
  box.style.left = `${left - frame.left}px`;
  box.style.top = `${top - frame.top}px`;
  return null;
}

/** At the upper edge of an image: above it are words that belong to it. */
const placeOver = (image: HTMLElement) => (box: HTMLElement, view: EditorView, from: number, to: number) => {
  placeBeside(box, view, from, to);
  const [place, { top, height }] = [image.getBoundingClientRect(), box.getBoundingClientRect()];
  const hasRoom = place.height >= height + 2 * gap;
  const least = topBar + edge;
  const wanted = hasRoom ? Math.max(place.top + gap, Math.min(least, place.bottom - gap - height)) : place.bottom + gap;
  box.style.top = `${parseFloat(box.style.top) + wanted - top}px`;
  return null;
};

/** Below its place, or as near to it as the window has room for all of it. */
function placeWhole(box: HTMLElement, view: EditorView, from: number, to: number, last: Side): Side {
  const side = placeBox(box, view, from, to, last);
  box.style.maxHeight = "";
  const { offsetTop = 0, height: shown = document.documentElement.clientHeight } = window.visualViewport ?? {};
  const { top, height } = box.getBoundingClientRect();
  const [least, lowest] = [offsetTop + topBar + edge, offsetTop + shown - height - edge];
  const wanted = Math.max(least, Math.min(top, lowest));
  box.style.top = `${parseFloat(box.style.top) + wanted - top}px`;
  return side;
}

/** On which side of which height of the frame. */
type Side = { at: number; isBelow: boolean } | null;

/** Below its place; above where there is too little room. Which of both stays while the place does: nothing jumps as one types. */
function placeBox(box: HTMLElement, view: EditorView, from: number, to: number, last: Side): Side {
  const frame = box.offsetParent?.getBoundingClientRect();
  const { clientHeight } = document.documentElement;
  // narrower than the window by a scroll bar, or by the room that is kept for one
  const { clientWidth } = document.body;
  if (!frame) return null;
  // the text may have become shorter since it was asked for
  const coordsAt = (pos: number) => view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const { left, top } = coordsAt(from);
  const bottom = Math.max(coordsAt(from).bottom, coordsAt(to).bottom);
  box.style.maxWidth = `${clientWidth - 2 * edge}px`;
  // a phone's keyboard lies over the window and makes it no smaller
  const { offsetTop = 0, height: shown = clientHeight } = window.visualViewport ?? {};
  const [above, below] = [top - offsetTop - topBar - gap - edge, offsetTop + shown - bottom - gap - edge];
  const at = Math.round(top - frame.top);
  const hasRoom = below >= Math.min(enough, box.scrollHeight + 2) || below >= above;
  const isBelow = last?.at === at ? last.isBelow : hasRoom;
  box.style.maxHeight = `${Math.max(120, Math.min(tallest, isBelow ? below : above))}px`;
  // as wide as possible: its last place may have squeezed it against the edge
  box.style.left = `${edge - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const fit = Math.max(edge, Math.min(left, clientWidth - width - edge));
  box.style.left = `${fit - frame.left}px`;
  box.style.top = `${(isBelow ? bottom + gap : top - gap - height) - frame.top}px`;
  return { at, isBelow };
}
