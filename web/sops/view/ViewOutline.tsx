import { clsx } from "clsx";
import { useMemo } from "react";
import { texts } from "./view-texts.ts";

/** The contents beside the text, where there is room for it (from 1280 px). */
export function ViewOutline({ html }: { html: string }) {
  const entries = useMemo(() => outlineOf(html), [html]);
  if (entries.length < 2) return null;
  return (
    <nav aria-label={texts.contents} data-print="hide" className="hidden xl:block">
      <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto border-l border-line pl-4">
        <p className="mb-2 text-xs font-semibold text-muted">{texts.contents}</p>
        <ol className="grid gap-0.5">
          {entries.map(({ id, text, level }) => (
            <li key={id} className={clsx(level > 1 && "pl-3")}>
              <a href={`#${id}`} className="block py-1 text-muted hover:text-text hover:underline">
                {text}
              </a>
            </li>
          ))}
        </ol>
      </div>
    </nav>
  );
}

interface OutlineEntry {
  id: string;
  text: string;
  level: number;
}

/** The headings of rendered HTML that can be jumped to: the two upper levels there are. */
export function outlineOf(html: string): OutlineEntry[] {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const all = [...parsed.querySelectorAll<HTMLElement>("h2[id], h3[id], h4[id]")].flatMap((heading) => {
    const text = heading.textContent.trim();
    return text === "" || heading.classList.contains("sr-only")
      ? []
      : [{ id: heading.id, text, level: Number(heading.tagName.slice(1)) }];
  });
  const top = Math.min(...all.map(({ level }) => level));
  return all.filter(({ level }) => level <= top + 1).map((entry) => ({ ...entry, level: entry.level - top + 1 }));
}
