import { clsx } from "clsx";
import { useId, type ComponentProps, type ReactNode } from "react";

interface SectionProps {
  title: ReactNode;
  /** Beside the heading, quiet. */
  count?: number | undefined;
  /** At the end of the heading's line. */
  action?: ReactNode;
  id?: string;
  busy?: boolean;
  className?: string;
  children: ReactNode;
}

/** A heading, a hairline and rows: no frame. A section without content is left out by its caller. */
export function Section({ title, count, action, id, busy, className, children }: SectionProps) {
  const own = useId();
  const heading = `${id ?? own}-title`;
  return (
    <section id={id} aria-labelledby={heading} aria-busy={busy} className={clsx("min-w-0", className)}>
      <header className="flex min-h-9 items-center gap-2 border-b border-line pb-2">
        <h2 id={heading} className="text-sm font-semibold">
          {title}
        </h2>
        {count !== undefined && <span className="text-t2 text-muted tabular-nums">{count}</span>}
        {action && <div className="ml-auto flex items-center gap-2">{action}</div>}
      </header>
      {children}
    </section>
  );
}

/**
 * One line of a list, 36 px high with a mouse and 52 px by touch. Put `rowLinkStyle` on its one link, so that the whole
 * row leads there, and `relative` on its one button.
 */
export function Row({ className, ...props }: ComponentProps<"div">) {
  return <div {...props} className={clsx(rowStyle, "flex gap-3 py-1", className)} />;
}

/** The look of a row without its layout: hairline, hover and height. */
export const rowStyle =
  "relative -mx-2 min-h-row items-center rounded-md px-2 after:pointer-events-none after:absolute after:inset-x-2 after:bottom-0 after:border-b after:border-line hover:bg-sunken focus-within:bg-sunken";

export const rowLinkStyle = "font-medium outline-offset-4 before:absolute before:inset-0";
