/** Code that will be needed soon, before it is: never data, as reading an SOP counts as reading it. */
const restMs = 80;
/** Until the screen itself and its parts are there. */
const settledMs = 2_000;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** A pointer that rests on a link, or the focus, says where the next screen is. */
export function preloadOnHover(preload: (pathname: string) => unknown): void {
  let aim: Element | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
    if (link === aim) return;
    aim = link;
    clearTimeout(timer);
    if (link && !savesData()) timer = setTimeout(() => preload(link.pathname), restMs);
  };
  document.addEventListener("pointerover", look);
  document.addEventListener("focusin", look);
}

/** Not every browser says when it is. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run);
  else setTimeout(run, 50);
}

/** @returns stop */
export function preloadWhenIdle(preload: () => unknown): () => void {
  const timer = setTimeout(() => {
    if (!savesData()) whenIdle(() => void preload());
  }, settledMs);
  return () => clearTimeout(timer);
}
