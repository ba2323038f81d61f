/** Handles swipes and keys on the Steps screen and keeps the screen awake. */
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type PointerEvent } from "react";

/** The minimum length of a swipe in px. */
const swipeLength = 60;

/** Says whether a dialog or sheet covers the screen and takes keys and swipes. */
const isScreenCovered = () => document.querySelector("[data-overlay]") !== null;

interface StepMoves {
  back(): void;
  next(): void;
}

/** Returns event handlers that detect swipes: to the left for next, to the right for back. */
export function useSwipe({ back, next }: StepMoves) {
  const [start, setStart] = useState<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      setStart(event.pointerType === "mouse" || isScreenCovered() ? null : { x: event.clientX, y: event.clientY });
    },
    onPointerUp: (event: PointerEvent) => {
      if (!start) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      setStart(null);
      if (Math.abs(x) < swipeLength || Math.abs(y) > Math.abs(x) / 2) return;
      if (x > 0) back();
      else next();
    },
    onPointerCancel: () => setStart(null),
  };
}

/**
 * Ticks the step on Space, and moves between steps by the arrow keys, unless a control that uses these keys has the
 * focus.
 */
export function useStepKeys({ back, next, act }: StepMoves & { act(): void }, isOn: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isScreenCovered()) return;
    const isControl =
      target instanceof Element &&
      target.closest("a, button, input, select, textarea, summary, [role=button]") !== null;
    // Arrow keys scroll wide elements.
    if (target instanceof Element && target.closest("pre[tabindex], table[tabindex]")) return;
    if (key === "ArrowRight") next();
    else if (key === "ArrowLeft") back();
    else if (key === " " && !isControl) act();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOn]);
}

/**
 * Keeps the screen on if the browser supports that. The browser ends it whenever the tab is hidden, so it is requested
 * again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    if (!("wakeLock" in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const requestLock = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        lock = await navigator.wakeLock.request("screen");
        if (isOver) await lock.release();
      } catch {
        // The browser refuses a wake lock when the battery is low.
        lock = null;
      }
    };
    const requestLockAgain = () => void requestLock();
    void requestLock();
    document.addEventListener("visibilitychange", requestLockAgain);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", requestLockAgain);
      void lock?.release();
    };
  }, []);
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed);
      window.addEventListener("offline", changed);
      return () => {
        window.removeEventListener("online", changed);
        window.removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
  );
}

/** Loads all images at the start, because the connection may be lost during the work. */
export function usePreloadedImages(html: string): void {
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const images = [...parsed.querySelectorAll("img")].map(({ src }) => Object.assign(new Image(), { src }));
    return () => images.forEach((image) => image.removeAttribute("src"));
  }, [html]);
}
