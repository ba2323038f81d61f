import { clsx } from "clsx";
import { Play } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router-dom";
import { Button } from "../../ui/Button.tsx";
import { texts } from "./view-texts.ts";

interface ViewOutlineProps {
  sopId: string;
  html: string;
  hasSteps: boolean;
}

/** The contents beside the text, where there is room for it (from 1024 px). */
export function ViewOutline({ sopId, html, hasSteps }: ViewOutlineProps) {
  const entries = useMemo(() => outlineOf(html), [html]);
  return (
    <div data-print="hide" className="hidden lg:block">
      <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto">
        {entries.length > 1 && (
          <nav aria-label={texts.contents}>
            <ol className="border-l-2 border-line text-t2">
              {entries.map(({ id, text, level }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className={clsx(
                      "block py-1 pr-1 text-muted hover:text-text hover:underline",
                      level > 1 ? "pl-6" : "pl-3",
                    )}
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        {hasSteps && (
          <Button asChild className="mt-4 ml-0.5">
            <Link to={`/sop/${sopId}/steps`}>
              <Play aria-hidden />
              {texts.steps}
            </Link>
          </Button>
        )}
      </div>
    </div>
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
