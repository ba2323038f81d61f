/** A box beside a place in the text. It stands in the text's own frame, so that it moves with it, and stays on screen. */
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useRef, type ComponentProps, type RefObject } from "react";

/** Of the viewport. */
export interface Place {
  left: number;
  top: number;
  bottom: number;
}

interface FloatingProps extends Omit<ComponentProps<"div">, "ref"> {
  at: Place;
  ref?: RefObject<HTMLDivElement | null>;
}

const gap = 6;
const edge = 8;
const tallest = 336;
/** The frame's own bar lies over what is scrolled below it. */
const topBar = 56;

export function Floating({ at, ref, className, ...props }: FloatingProps) {
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;
  const { left, top, bottom } = at;
  useLayoutEffect(() => {
    if (box.current) put(box.current, { left, top, bottom });
  });
  useEffect(() => {
    const again = (): void => {
      if (box.current) put(box.current, { left, top, bottom });
    };
    window.addEventListener("resize", again);
    return () => window.removeEventListener("resize", again);
  }, [box, left, top, bottom]);
  useEffect(() => {
    // opened near the end of a screen it may not fit beside its place at all
    box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [box]);
  return (
    <div
      ref={box}
      {...props}
      className={clsx(
        "absolute z-20 animate-appear rounded-md border border-line bg-surface text-sm shadow-float",
        className,
      )}
    />
  );
}

/** Below its place; above where there is more room. */
function put(box: HTMLElement, { left, top, bottom }: Place): void {
  const frame = box.offsetParent?.getBoundingClientRect();
  const view = document.documentElement;
  if (!frame) return;
  // narrower than the window where that has a scroll bar
  box.style.maxWidth = `${view.clientWidth - 2 * edge}px`;
  const [above, below] = [top - topBar - gap - edge, view.clientHeight - bottom - gap - edge];
  const full = Math.min(tallest, box.scrollHeight + 2);
  const isBelow = below >= full || below >= above;
  box.style.maxHeight = `${Math.max(120, Math.min(tallest, isBelow ? below : above))}px`;
  // as wide as it may be: where it stood before it was perhaps squeezed against the edge
  box.style.left = `${edge - frame.left}px`;
  const { width, height } = box.getBoundingClientRect();
  const fit = Math.max(edge, Math.min(left, view.clientWidth - width - edge));
  box.style.left = `${fit - frame.left}px`;
  box.style.top = `${(isBelow ? bottom + gap : top - gap - height) - frame.top}px`;
}
