import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Says whether the page is being printed. The component renders again before the browser takes the pages. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const set = (value: boolean) => flushSync(() => setPrinting(value));
    const begin = () => set(true);
    const end = () => set(false);
    const media = matchMedia("print");
    const change = () => set(media.matches);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    media.addEventListener("change", change);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
      media.removeEventListener("change", change);
    };
  }, []);
  return isPrinting;
}
