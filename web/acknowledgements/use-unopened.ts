import { useEffect, useState } from "react";

/**
 * How many folds of the author were never opened. The phone's own fold of the background isn't one of them.
 * @param article the text, once it is shown
 */
export function useUnopened(article: HTMLElement | null): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const closed = [...(article?.querySelectorAll("details:not([open])") ?? [])];
    const left = new Set(closed.filter((fold) => !fold.closest(".before-steps")));
    const tell = () => setCount(left.size);
    const opened = ({ target }: Event) => {
      left.delete(target as Element);
      tell();
    };
    tell();
    article?.addEventListener("toggle", opened, true);
    return () => article?.removeEventListener("toggle", opened, true);
  }, [article]);
  return count;
}
