import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A bar that stays visible at the bottom of a screen, for a decision, a confirmation or unsaved changes. */
export function BottomBar({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-print="hide"
      data-bottom-bar
      {...props}
      className={clsx(
        "sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-2 sm:px-6 sm:py-3",
        className,
      )}
    />
  );
}
