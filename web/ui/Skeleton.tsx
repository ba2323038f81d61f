import { clsx } from "clsx";

/** Holds the place of what is still loading; the region around it says so (`aria-busy`). */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx("block animate-pulse rounded-sm bg-sunken", className)} />;
}
