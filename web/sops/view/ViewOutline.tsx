import { clsx } from "clsx";
import { useEffect, useMemo, useState } from "react";
import { openFoldsAround } from "./anchors.ts";
import { controlTexts } from "./control-texts.ts";
import { StepsButton } from "./StepsButton.tsx";
import { texts } from "./view-texts.ts";

interface ViewOutlineProps {
  sopId: string;
  html: string;
  hasSteps: boolean;
}

/** Says whether there is more than one heading. A single heading needs no contents. */
export const hasContentsBeside = (html: string): boolean => contentsOutlineOf(html).length > 1;

/** The contents beside the text, where there is room for both. */
export function ViewOutline({ sopId, html, hasSteps }: ViewOutlineProps) {
  const entries = useMemo(() => [...contentsOutlineOf(html), documentControl], [html]);
  const current = useCurrentHeading(entries);
  if (entries.length < 3) return null;
  return (
    <div data-print="hide" className="hidden @min-[50rem]:block">
      <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto">
        <nav aria-label={texts.contents}>
          <ol className="border-l-2 border-line text-t2">
            {entries.map(({ id, text, level }) => (
              <li key={id}>
                <a
                  dir="auto"
                  href={`#${id}`}
                  onClick={() => openFold(id)}
                  aria-current={id === current ? "location" : undefined}
                  className={clsx(
                    "-ml-0.5 block border-l-2 py-1 pr-1 text-left hover:text-text hover:underline",
                    id === current ? "border-primary font-medium text-text" : "border-transparent text-muted",
                    level > 1 ? "pl-6" : "pl-3",
                  )}
                >
                  {text}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        {hasSteps && <StepsButton sopId={sopId} className="mt-4 ml-0.5" />}
      </div>
    </div>
  );
}

function openFold(id: string): void {
  const target = document.getElementById(id);
  if (target) openFoldsAround(target);
}

/** An entry for the collapsed document control below the text. */
const documentControl: OutlineEntry = { id: "document-control", text: controlTexts.heading, level: 1 };

/**
 * Px from the top of the window. The last heading above this line is the current one. Links scroll headings to 144 px.
 */
const readingLine = 160;

/** @returns the id of the heading whose section is being read */
function useCurrentHeading(entries: readonly OutlineEntry[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const findCurrent = () => {
      const { clientHeight, scrollHeight } = document.documentElement;
      const isEnd = window.scrollY > 0 && window.scrollY + clientHeight >= scrollHeight - 2;
      const read = entries.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
        return top < (isEnd ? clientHeight : readingLine);
      });
      setCurrent((read.at(-1) ?? entries[0])?.id);
    };
    const frame = requestAnimationFrame(findCurrent);
    window.addEventListener("scroll", findCurrent, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", findCurrent);
    };
  }, [entries]);
  return current;
}

interface OutlineEntry {
  id: string;
  text: string;
  level: number;
}

/** Returns the headings for the contents: those of the two highest levels in the HTML. */
export function contentsOutlineOf(html: string): OutlineEntry[] {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const all = [...parsed.querySelectorAll<HTMLElement>("h2[id], h3[id], h4[id]")].flatMap((heading) => {
    const text = heading.textContent.trim();
    return text === "" || heading.hidden || heading.classList.contains("sr-only")
      ? []
      : [{ id: heading.id, text, level: Number(heading.tagName.slice(1)) }];
  });
  const top = Math.min(...all.map(({ level }) => level));
  return all.filter(({ level }) => level <= top + 1).map((entry) => ({ ...entry, level: entry.level - top + 1 }));
}
