/** Where a toast appears: never over the buttons of a window, the field in use, or what it announces. */
import { useEffect, useRef, type RefObject } from "react";

/** The seed's own place first, then beside a window's row of buttons (at its right end), and beside its Close. */
const places = ["", "bottom-left", "top-left"] as const;
const apart = 8;
/** What came this long before a toast, or comes while it is there, is most likely what it announces. */
const recentMs = 1000;

export function useToastPosition({ key, open }: { key: number; open: boolean }): RefObject<HTMLOListElement | null> {
  const region = useRef<HTMLOListElement>(null);
  const added = useRef(new Map<Element, number>());
  const isOpen = useRef(false);
  useEffect(() => {
    const settle = (): void => {
      if (region.current && isOpen.current) movePast(region.current, [...added.current.keys()]);
    };
    // windows and rows come and go while a toast is there
    const observer = new MutationObserver((records) => {
      const now = performance.now();
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof Element && !region.current?.contains(node)) added.current.set(node, now);
      }
      if (!isOpen.current) forgetBefore(added.current, now - recentMs);
      settle();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("resize", settle);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", settle);
    };
  }, []);
  useEffect(() => {
    isOpen.current = open;
    forgetBefore(added.current, performance.now() - recentMs);
    if (open && region.current) movePast(region.current, [...added.current.keys()]);
  }, [key, open]);
  return region;
}

function forgetBefore(added: Map<Element, number>, since: number): void {
  for (const [element, at] of added) if (at < since || !element.isConnected) added.delete(element);
}

function movePast(region: HTMLElement, added: readonly Element[]): void {
  region.dataset["place"] = "";
  const isOverlaid = document.querySelector("[data-overlay]") !== null;
  const taken = (isOverlaid ? controlsOfWindows() : [...added.filter(isPart), ...inUse()])
    .map((one) => one.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  const isFree = (place: string): boolean => {
    region.dataset["place"] = place;
    return [...region.children].every((toast) => {
      const { left, top, right, bottom } = toast.getBoundingClientRect();
      return !taken.some(
        (one) =>
          one.left < right + apart && one.right > left - apart && one.top < bottom + apart && one.bottom > top - apart,
      );
    });
  };
  // where none is free: over a window, what is hidden can't be the way out of it
  if (!places.some(isFree)) region.dataset["place"] = isOverlaid ? "top-left" : "";
}

function controlsOfWindows(): Element[] {
  return [...document.querySelectorAll("[role$=dialog] :is(button, a, input, select, textarea)")];
}

/** A row or a card; not a screen, a panel or a list as a whole. */
function isPart(element: Element): boolean {
  return element.isConnected && element.getBoundingClientRect().height < window.innerHeight / 2;
}

/** The field with the focus. */
function inUse(): Element[] {
  const { activeElement } = document;
  return activeElement?.matches("input, select, textarea") ? [activeElement] : [];
}
