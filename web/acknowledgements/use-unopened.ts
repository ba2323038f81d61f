import { useEffect, useState } from "react";

/**
 * How many folds were never opened: the author's, and the phone's own fold of the background.
 * @param article the text, once it is shown
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
