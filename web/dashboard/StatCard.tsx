import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Card } from "../ui/Card.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

interface StatCardProps {
  label: string;
  icon: ReactNode;
  /** Undefined while loading. */
  value: number | undefined;
  failed?: boolean;
  /** Where the number's SOPs are. */
  to?: string;
  /** Or what shows them here. */
  onOpen?: (() => void) | undefined;
}

const wholeCard = "after:absolute after:inset-0 after:rounded-lg";

/** One number with its name; a `dl` around it. */
export function StatCard({ label, icon, value, failed = false, to, onOpen }: StatCardProps) {
  return (
    <Card
      className={clsx(
        "relative grid content-between p-4",
        (to || onOpen) && "transition-shadow hover:border-control hover:shadow-lift",
      )}
    >
      <dt className="flex items-center justify-between gap-2 text-muted">
        {to ? (
          <Link to={to} className={wholeCard}>
            {label}
          </Link>
        ) : onOpen ? (
          <button type="button" className={wholeCard} onClick={onOpen}>
            {label}
          </button>
        ) : (
          label
        )}
        <span aria-hidden className="[&_svg]:size-4">
          {icon}
        </span>
      </dt>
      <dd
        className="mt-1 text-2xl font-semibold tracking-tight tabular-nums"
        aria-busy={value === undefined && !failed}
      >
        {failed ? "–" : (value ?? <Skeleton className="my-1 h-8.25 w-20" />)}
      </dd>
    </Card>
  );
}
