import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldProps {
  title: string;
  /** A text beside the title, visible while the section is collapsed too. */
  summary?: string | undefined;
  /** The id of its heading. */
  id: string;
  children: ReactNode;
}

/** A section at the end of a page that expands. Print shows it expanded. */
export function Fold({ title, summary, id, children }: FoldProps) {
  return (
    <section aria-labelledby={id} className="print:break-inside-avoid">
      <details className="group border-t border-line">
        <summary className="flex min-h-11 print:min-h-8 items-center gap-2 text-sm">
          <ChevronRight
            aria-hidden
            className="size-4 text-muted transition-transform group-open:rotate-90 print:hidden"
          />
          <h2 id={id} className="scroll-mt-20 font-medium">
            {title}
          </h2>
          {summary !== undefined && <span className="min-w-0 truncate text-muted">{summary}</span>}
        </summary>
        {children}
      </details>
    </section>
  );
}
