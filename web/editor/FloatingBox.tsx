/**
 * A box beside a position in the text. It is placed within the text's frame, so it moves with the text, and it stays on
 * screen.
 */
import type { EditorView } from "@milkdown/kit/prose/view";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useMemo, useRef, type ComponentProps, type RefObject } from "react";

interface FloatingBoxProps extends Omit<ComponentProps<"div">, "ref"> {
  view: EditorView;
  /** The position in the text that the box belongs to. */
  at: number;
  /** The end of the text that the box must not cover; it can be on a later line. */
  to?: number;
  /**
   * Places the box above for a mouse and below for touch, where the system's own menu is above. Never scrolls the page.
   */
  isBeside?: boolean;
  /**
   * With `isBeside`, an image that the box covers if the image is tall enough. Otherwise the box is below the image.
   */
  over?: HTMLElement | null;
  /** Shows the whole box without scrolling in it, even if the box covers the text at `at`. */
  isWhole?: boolean;
  ref?: RefObject<HTMLDivElement | null>;
}

/** The pixels between the box and its text. */
const boxGap = 6;
/** The minimum number of pixels between the box and the edges of the window. */
const screenMargin = 8;
/** The maximum height of a box that scrolls, in pixels. */
const maxBoxHeight = 336;
/**
 * With this many pixels of room below the text, the box goes below, because the text above is more likely to be read.
 */
const enoughRoomBelow = 200;
/** The height of the page's top bar in pixels. Text that scrolls under the bar is covered. */
export const topBarHeight = 56;

export function FloatingBox({
  view,
  at,
  to = at,
  isBeside = false,
  over = null,
  isWhole = false,
  ref,
  className,
  ...props
}: FloatingBoxProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;
  const last = useRef<BoxPlacement>(null);
  const placeBoxNow = useMemo(
    () =>
      over ? createImagePlacer(over) : isBeside ? placeBesideSelection : isWhole ? placeWholeBox : placeBelowOrAbove,
    [over, isBeside, isWhole],
  );
  useLayoutEffect(() => {
    if (box.current) last.current = placeBoxNow(box.current, view, at, to, last.current);
  });
  useEffect(() => {
    const updatePosition = (): void => {
      if (box.current) last.current = placeBoxNow(box.current, view, at, to, last.current);
    };
    const resetPosition = (): void => {
      last.current = null;
      updatePosition();
    };
    // A narrower frame wraps the text differently, so the box has to move. A new scroll bar is enough to make it
    // narrower.
    const frame = new ResizeObserver(updatePosition);
    if (box.current?.offsetParent) frame.observe(box.current.offsetParent);
    const seen = window.visualViewport ?? window;
    seen.addEventListener("resize", resetPosition);
    return () => {
      frame.disconnect();
      seen.removeEventListener("resize", resetPosition);
    };
  }, [box, view, at, to, placeBoxNow]);
  useEffect(() => {
    // At the end of a page the box may not fit and can cover the toolbar. `scrollIntoView` keeps clear of the toolbar
    // and would scroll too far.
    if (!box.current || isBeside) return;
    const { top, bottom } = box.current.getBoundingClientRect();
    const [up, down] = [top - topBarHeight, bottom + screenMargin - document.documentElement.clientHeight];
    window.scrollBy({ top: up < 0 ? up : Math.max(0, Math.min(up, down)) });
  }, [box, isBeside]);
  return (
    <div
      ref={box}
      {...props}
      className={clsx(
        // With reduced motion every change becomes a very short transition, but the box is measured at once.
        "absolute z-20 animate-appear transition-none rounded-md border border-line bg-surface text-sm shadow-float",
        className,
      )}
    />
  );
}

/** Places the box beside the selection and always in the window, even for a long selection. */
function placeBesideSelection(box: HTMLElement, view: EditorView, from: number, to: number): BoxPlacement {
  const frame = box.offsetParent?.getBoundingClientRect();
  if (!frame) return null;
  const { clientWidth } = document.body;
  const { offsetTop = 0, height: shown = document.documentElement.clientHeight } = window.visualViewport ?? {};
  const most = view.state.doc.content.size;
  const [start, end] = [view.coordsAtPos(Math.min(from, most)), view.coordsAtPos(Math.min(to, most), -1)];
  box.style.maxWidth = `${clientWidth - 2 * screenMargin}px`;
  box.style.left = `${screenMargin - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const [least, lowest] = [offsetTop + topBarHeight + screenMargin, offsetTop + shown - height - screenMargin];
  const [above, below] = [start.top - boxGap - height, end.bottom + boxGap];
  const prefersBelow = window.matchMedia("(pointer: coarse)").matches;
  const wanted = prefersBelow ? (below <= lowest ? below : above) : above >= least ? above : below;
  const top = Math.max(least, Math.min(wanted, lowest));
  const left = Math.max(screenMargin, Math.min(start.left, clientWidth - width - screenMargin));
  box.style.left = `${left - frame.left}px`;
  box.style.top = `${top - frame.top}px`;
  return null;
}

/**
 * Returns a function that places the box inside the upper edge of an image, or below an image that is too small. The
 * words above the image stay visible.
 */
const createImagePlacer = (image: HTMLElement) => (box: HTMLElement, view: EditorView, from: number, to: number) => {
  placeBesideSelection(box, view, from, to);
  const [place, { top, height }] = [image.getBoundingClientRect(), box.getBoundingClientRect()];
  const hasRoom = place.height >= height + 2 * boxGap;
  const least = topBarHeight + screenMargin;
  const wanted = hasRoom
    ? Math.max(place.top + boxGap, Math.min(least, place.bottom - boxGap - height))
    : place.bottom + boxGap;
  box.style.top = `${parseFloat(box.style.top) + wanted - top}px`;
  return null;
};

/** Places the whole box below the text, or as close to the text as the window allows. */
function placeWholeBox(box: HTMLElement, view: EditorView, from: number, to: number, last: BoxPlacement): BoxPlacement {
  const side = placeBelowOrAbove(box, view, from, to, last);
  box.style.maxHeight = "";
  const { offsetTop = 0, height: shown = document.documentElement.clientHeight } = window.visualViewport ?? {};
  const { top, height } = box.getBoundingClientRect();
  const [least, lowest] = [offsetTop + topBarHeight + screenMargin, offsetTop + shown - height - screenMargin];
  const wanted = Math.max(least, Math.min(top, lowest));
  box.style.top = `${parseFloat(box.style.top) + wanted - top}px`;
  return side;
}

/**
 * The last position of a box: the height of its text within the frame, and whether the box is below that text. Null for
 * boxes that don't keep their side.
 */
type BoxPlacement = { at: number; isBelow: boolean } | null;

/**
 * Places the box below the text, or above if there is too little room. The box keeps its side while the text stays at
 * the same height, so that it doesn't jump during typing.
 */
function placeBelowOrAbove(
  box: HTMLElement,
  view: EditorView,
  from: number,
  to: number,
  last: BoxPlacement,
): BoxPlacement {
  const frame = box.offsetParent?.getBoundingClientRect();
  const { clientHeight } = document.documentElement;
  // The body's width excludes the scroll bar or the room reserved for one.
  const { clientWidth } = document.body;
  if (!frame) return null;
  // The text may have become shorter since the box was requested.
  const coordsAt = (pos: number) => view.coordsAtPos(Math.min(pos, view.state.doc.content.size));
  const { left, top } = coordsAt(from);
  const bottom = Math.max(coordsAt(from).bottom, coordsAt(to).bottom);
  box.style.maxWidth = `${clientWidth - 2 * screenMargin}px`;
  // A phone's keyboard covers the window without making it smaller.
  const { offsetTop = 0, height: shown = clientHeight } = window.visualViewport ?? {};
  const [above, below] = [
    top - offsetTop - topBarHeight - boxGap - screenMargin,
    offsetTop + shown - bottom - boxGap - screenMargin,
  ];
  const at = Math.round(top - frame.top);
  const hasRoom = below >= Math.min(enoughRoomBelow, box.scrollHeight + 2) || below >= above;
  const isBelow = last?.at === at ? last.isBelow : hasRoom;
  box.style.maxHeight = `${Math.max(120, Math.min(maxBoxHeight, isBelow ? below : above))}px`;
  // The box is measured at the left edge, because its previous position may have made it narrow.
  box.style.left = `${screenMargin - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const fit = Math.max(screenMargin, Math.min(left, clientWidth - width - screenMargin));
  box.style.left = `${fit - frame.left}px`;
  box.style.top = `${(isBelow ? bottom + boxGap : top - boxGap - height) - frame.top}px`;
  return { at, isBelow };
}
