/** Rows of the home page, separated by thin lines. One link covers each row. */
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { buttonStyle } from "../ui/Button.tsx";

export function HomeRows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line border-b border-line">{children}</ul>;
}

interface HomeRowProps {
  icon?: ReactNode;
  title: string;
  to: string;
  /** A line that says why the row is listed. */
  meta?: ReactNode;
  /** True to show `meta` below the title and not beside it. */
  stacked?: boolean;
  /** An age or a date at the end of the row. */
  when?: string;
  /** True to show `when` in red. */
  isLate?: boolean;
  /** The label of a button that does the same as the row's link; absent for no button. */
  action?: string;
  /** True for the row whose button is the primary one of the page. */
  isNext?: boolean;
  /** True to hide the button on phones, where the row itself is enough. */
  hasNoPhoneButton?: boolean;
}

export function HomeRow({
  icon,
  title,
  to,
  meta,
  stacked = false,
  when,
  isLate = false,
  action,
  isNext = false,
  hasNoPhoneButton = false,
}: HomeRowProps) {
  // On a phone there is no room for a date beside a button, so the date goes below the title.
  const isNarrow = action !== undefined && !hasNoPhoneButton;
  return (
    <li className="relative isolate flex min-h-11 items-center gap-3 py-1.5 before:absolute before:-inset-x-2 before:inset-y-0 before:-z-10 before:rounded-md hover:before:bg-sunken pointer-coarse:min-h-13">
      {icon && (
        <span aria-hidden className="shrink-0 [&_svg]:size-4">
          {icon}
        </span>
      )}
      <div
        className={clsx(
          "flex min-w-0 flex-1 items-center gap-x-3",
          isNarrow && "max-sm:flex-wrap max-sm:items-baseline max-sm:gap-x-2",
        )}
      >
        <p className={clsx("min-w-0 flex-1 wrap-anywhere", isNarrow && "max-sm:contents")}>
          <Link
            to={to}
            dir="auto"
            data-row
            className={clsx("font-medium after:absolute after:inset-0", isNarrow && "max-sm:basis-full")}
          >
            {title}
          </Link>
          {meta && (
            <span className={clsx("line-clamp-2 text-t2 text-muted", !stacked && "sm:inline")}>
              {!stacked && <span className="max-sm:hidden"> · </span>}
              {meta}
            </span>
          )}
        </p>
        {when && <span className={clsx("shrink-0 text-t2", isLate ? "text-destructive" : "text-muted")}>{when}</span>}
      </div>
      {action && (
        <span
          aria-hidden
          className={clsx(
            buttonStyle({ size: "sm", variant: isNext ? "primary" : "outline" }),
            "min-w-19",
            hasNoPhoneButton && "max-sm:hidden",
          )}
        >
          {action}
        </span>
      )}
    </li>
  );
}
