/** Loads code before it is needed. It never loads data, because reading an SOP counts as a view. */

/** Milliseconds that the pointer or the focus rests on a link before its screen loads. */
const hoverDelayMs = 80;
/** Milliseconds until the current screen and its parts have loaded. */
const idleDelayMs = 2_000;

const isSavingData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Calls `preload` with a link's path when the pointer or the focus rests on the link, unless the user saves data. */
export function preloadOnHover(preload: (pathname: string) => unknown): void {
  let aim: Element | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const preloadAimed = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
    if (link === aim) return;
    aim = link;
    clearTimeout(timer);
    if (link && !isSavingData()) timer = setTimeout(() => preload(link.pathname), hoverDelayMs);
  };
  document.addEventListener("pointerover", preloadAimed);
  document.addEventListener("focusin", preloadAimed);
}

/** Calls a function when the browser is idle, or after a short wait in browsers that can't report being idle. */
export function runWhenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run);
  else setTimeout(run, 50);
}

/**
 * Calls `preload` once the screen has loaded and the browser is idle, unless the user saves data.
 * @returns a function that stops the preloading
 */
export function preloadWhenIdle(preload: () => unknown): () => void {
  const timer = setTimeout(() => {
    if (!isSavingData()) runWhenIdle(() => void preload());
  }, idleDelayMs);
  return () => clearTimeout(timer);
}
