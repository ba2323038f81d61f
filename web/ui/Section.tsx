import { useId, type ReactNode } from "react";

interface SectionProps {
  title: ReactNode;
  /** A count beside the heading. */
  count?: number | undefined;
  /** A note at the end of the heading's line. */
  note?: ReactNode;
  children: ReactNode;
}

/** A heading, a thin line and rows, without a frame. Callers don't render a section without content. */
export function Section({ title, count, note, children }: SectionProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="min-w-0">
      <header className="flex items-baseline gap-2 border-b border-line pb-2">
        <h2 id={heading} className="text-sm font-semibold">
          {title}
        </h2>
        {count !== undefined && <span className="text-t2 text-muted tabular-nums">{count}</span>}
        {note && <span className="ml-auto text-t2 text-muted">{note}</span>}
      </header>
      {children}
    </section>
  );
}
