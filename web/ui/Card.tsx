import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A frame around related content. Rows in a `Section` need none. */
export function Card({ className, ...props }: ComponentProps<"div">) {
  return <div {...props} className={clsx("rounded-lg border border-line bg-bg", className)} />;
}
