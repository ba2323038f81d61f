/** Where a toast may stand while a window is open: over none of the window's buttons and fields. */
import { useEffect, useRef, type RefObject } from "react";

/** The seed's own place first, then beside a window's row of buttons (which stand right), and beside its Close. */
const places = ["", "bottom-left", "top-left"] as const;
const apart = 8;

export function useFreePlace({ key, open }: { key: number; open: boolean }): RefObject<HTMLOListElement | null> {
  const region = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const settle = (): void => {
      if (region.current) put(region.current);
    };
    settle();
    // windows come and go, and what is in them, while a toast is there
    const observer = new MutationObserver(settle);
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("resize", settle);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", settle);
    };
  }, [key, open]);
  return region;
}

function put(region: HTMLElement): void {
  region.dataset["place"] = "";
  if (!document.querySelector("[data-overlay]")) return;
  const controls = document.querySelectorAll("[role$=dialog] :is(button, a, input, select, textarea)");
  const taken = [...controls].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
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
  // where none is free, what is hidden can't be the way out of the window
  if (!places.some(isFree)) region.dataset["place"] = "top-left";
}
