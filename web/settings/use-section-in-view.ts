import { useEffect, useState } from "react";

/** The first of these elements that the upper half of the window shows, as a table of contents marks it. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const shown = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) shown.add(target.id);
          else shown.delete(target.id);
        }
        setCurrent((last) => ids.find((id) => shown.has(id)) ?? last);
      },
      { rootMargin: "-72px 0px -50% 0px" },
    );
    for (const id of ids) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [ids]);
  return current;
}
