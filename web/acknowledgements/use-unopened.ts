import { useEffect, useState } from "react";

/**
 * Counts collapsed sections that the user never opened: those in the text, and the background that phones collapse.
 * @param article the element of the text; null until it is shown
 */
export function useUnopened(article: HTMLElement | null): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const left = new Set(article?.querySelectorAll("details:not([open])"));
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
