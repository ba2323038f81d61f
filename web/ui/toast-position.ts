/**
 * Finds a position for a toast in which it covers neither title and buttons of a dialog, nor the field in use, nor a
 * row that the toast announces.
 */
import { useEffect, useRef, type RefObject } from "react";

/**
 * Positions in order of preference: the usual position, the left end of a dialog's row of buttons, and beside the
 * dialog's Close button.
 */
const places = ["", "bottom-left", "top-left"] as const;
const marginPixels = 8;
/** The minimum width of a toast beside a dialog, in CSS pixels like all numbers here. */
const narrowest = 240;
/** A row that appears this many milliseconds before a toast, or during it, is probably what the toast announces. */
const recentMs = 1000;

export function useToastPosition({ key, open }: { key: number; open: boolean }): RefObject<HTMLOListElement | null> {
  const region = useRef<HTMLOListElement>(null);
  const added = useRef(new Map<Element, number>());
  const isOpen = useRef(false);
  useEffect(() => {
    const moveToasts = (): void => {
      if (region.current && isOpen.current) moveToFreePosition(region.current, [...added.current.keys()]);
    };
    // Dialogs and rows can appear and disappear while a toast is shown.
    const observer = new MutationObserver((records) => {
      const now = performance.now();
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof Element && !region.current?.contains(node)) added.current.set(node, now);
      }
      if (!isOpen.current) removeOlderThan(added.current, now - recentMs);
      moveToasts();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("resize", moveToasts);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", moveToasts);
    };
  }, []);
  useEffect(() => {
    isOpen.current = open;
    removeOlderThan(added.current, performance.now() - recentMs);
    if (open && region.current) moveToFreePosition(region.current, [...added.current.keys()]);
  }, [key, open]);
  return region;
}

function removeOlderThan(added: Map<Element, number>, since: number): void {
  for (const [element, at] of added) if (at < since || !element.isConnected) added.delete(element);
}

function moveToFreePosition(region: HTMLElement, added: readonly Element[]): void {
  const isOverlaid = document.querySelector("[data-overlay]") !== null;
  const taken = visibleRectsOf(
    isOverlaid ? [...dialogTextsAndButtons(), ...dialogFields()] : [...added.filter(isRowOrCard), ...focusedFields()],
  );
  if (places.some((place) => canFitAt(region, taken, place))) return;
  if (!isOverlaid) return positionRegion(region, "");
  // A toast may cover a field for a moment, but not a title or a button.
  const heads = visibleRectsOf(dialogTextsAndButtons());
  if (moveBesideDialog(region, taken) || moveOverContent(region, taken) || moveBesideDialog(region, heads)) return;
  if (!moveOverContent(region, heads)) positionRegion(region, "top-left");
}

function positionRegion(region: HTMLElement, place: string, { width = "", top = "" } = {}): void {
  region.dataset["place"] = place;
  region.style.width = width;
  region.style.top = top;
}

function canFitAt(region: HTMLElement, taken: readonly DOMRect[], place: string, width?: string): boolean {
  positionRegion(region, place, width === undefined ? {} : { width });
  return [...region.children].every((toast) => isClear(toast.getBoundingClientRect(), taken));
}

/** Moves the toast beside the dialog, with the width available there. Returns false if there is no room. */
function moveBesideDialog(region: HTMLElement, taken: readonly DOMRect[]): boolean {
  const frames = visibleRectsOf(openDialogElements());
  const left = Math.min(...frames.map((frame) => frame.left));
  const right = window.innerWidth - Math.max(...frames.map((frame) => frame.right));
  return [
    [right, ""],
    [left, "bottom-left"],
  ].some(([room, place]) => Number(room) >= narrowest && canFitAt(region, taken, String(place), `${room}px`));
}

/** Moves the toast to the lowest position over content without controls. Returns false if there is none. */
function moveOverContent(region: HTMLElement, taken: readonly DOMRect[]): boolean {
  positionRegion(region, "over", { top: "0px" });
  const toasts = visibleRectsOf(region.children);
  const most = window.innerHeight - region.getBoundingClientRect().height;
  for (let y = most; y >= 0; y -= marginPixels) {
    if (!toasts.every(({ left, top, width, height }) => isClear({ left, top: top + y, width, height }, taken)))
      continue;
    positionRegion(region, "over", { top: `${y}px` });
    return true;
  }
  return false;
}

type ScreenBox = Pick<DOMRect, "left" | "top" | "width" | "height">;

const isClear = ({ left, top, width, height }: ScreenBox, taken: readonly DOMRect[]): boolean =>
  !taken.some(
    (one) =>
      one.left < left + width + marginPixels &&
      one.right > left - marginPixels &&
      one.top < top + height + marginPixels &&
      one.bottom > top - marginPixels,
  );

const visibleRectsOf = (elements: Iterable<Element>): DOMRect[] =>
  [...elements].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);

const openDialogElements = (): Element[] => [...document.querySelectorAll("[role$=dialog]")];

/** Returns the titles, descriptions, buttons and links of all open dialogs. */
function dialogTextsAndButtons(): Element[] {
  const words = openDialogElements().flatMap((one) =>
    ["aria-labelledby", "aria-describedby"].flatMap((by) => document.getElementById(one.getAttribute(by) ?? "") ?? []),
  );
  return [...words, ...document.querySelectorAll("[role$=dialog] :is(button, a)")];
}

const dialogFields = (): Element[] => [...document.querySelectorAll("[role$=dialog] :is(input, select, textarea)")];

/** Says whether an element is a row or card, and not a whole screen, panel or list. */
function isRowOrCard(element: Element): boolean {
  return element.isConnected && element.getBoundingClientRect().height < window.innerHeight / 2;
}

/** Returns the field with the focus, if any. */
function focusedFields(): Element[] {
  const { activeElement } = document;
  return activeElement?.matches("input, select, textarea") ? [activeElement] : [];
}
