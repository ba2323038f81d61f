import { clsx } from "clsx";

interface UsageProps {
  used: number;
  of: number;
  /** 'users' */
  what: string;
  /** `what` is written out where no heading says it. */
  named?: boolean;
}

/** How much of a quota is taken: the numbers, and a bar to see it at a glance. */
export function Usage({ used, of, what, named = false }: UsageProps) {
  const isFull = used >= of;
  const share = Math.min(1, used / Math.max(1, of));
  return (
    <span className="inline-grid min-w-20 gap-1">
      <span className="whitespace-nowrap tabular-nums">
        {used.toLocaleString("en")} <span className="text-muted">of {of.toLocaleString("en")}</span>
        <span className={named ? "text-muted" : "sr-only"}> {what}</span>
        {isFull && <span className="ml-1.5 text-xs font-medium text-warning">full</span>}
      </span>
      <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="h-1 w-full max-w-28 rounded-full">
        <rect width="100" height="4" className="fill-line" />
        <rect width={100 * share} height="4" className={clsx(isFull ? "fill-warning" : "fill-primary")} />
      </svg>
    </span>
  );
}
