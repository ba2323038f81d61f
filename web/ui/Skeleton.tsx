import { clsx } from "clsx";

/** A placeholder for loading content. The region around it needs `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx("block animate-pulse rounded-sm bg-sunken", className)} />;
}
