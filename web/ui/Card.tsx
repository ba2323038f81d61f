import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A sheet of paper on the desk. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return <div {...props} className={clsx("rounded-lg border border-line bg-surface shadow-card", className)} />;
}
