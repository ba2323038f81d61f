/** A status is shape, word and color, never color alone: ring of dashes, half ring, full, square. */
import { clsx } from "clsx";
import { Archive, CircleCheck, Clock, Pencil, type LucideIcon } from "lucide-react";
import type { SopStatus } from "#core/sops/statuses.ts";
import type { BadgeTone } from "./Badge.tsx";

export type Status = SopStatus;

export const statuses: Record<Status, { label: string; icon: LucideIcon; tone: BadgeTone }> = {
  published: { label: "Published", icon: CircleCheck, tone: "success" },
  draft: { label: "Draft", icon: Pencil, tone: "neutral" },
  under_review: { label: "Under Review", icon: Clock, tone: "warning" },
  archived: { label: "Archived", icon: Archive, tone: "outline" },
};

const looks: Record<Status, { color: string; ground: string; shape: string }> = {
  published: { color: "text-success", ground: "bg-success-soft", shape: "bg-current" },
  draft: { color: "text-muted", ground: "bg-sunken", shape: "border-dashed" },
  under_review: {
    color: "text-warning",
    ground: "bg-warning-soft",
    shape: "bg-[linear-gradient(90deg,currentcolor_50%,transparent_50%)]",
  },
  archived: {
    color: "text-muted",
    ground: "bg-sunken",
    shape: "rounded-[2px]! bg-[linear-gradient(currentcolor_3px,transparent_3px)]",
  },
};

/** An unknown status is shown as draft. */
export function statusOf(status: string): Status {
  return Object.hasOwn(statuses, status) ? (status as Status) : "draft";
}

interface StatusMarkProps {
  status: string;
  /** On a ground of its own: beside a title only. */
  filled?: boolean;
}

export function StatusMark({ status, filled = false }: StatusMarkProps) {
  const known = statusOf(status);
  const { color, ground, shape } = looks[known];
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-t2 font-medium whitespace-nowrap",
        color,
        filled && ["rounded-full px-2 py-0.5", ground],
      )}
    >
      <span aria-hidden className={clsx("size-2.5 shrink-0 rounded-full border-[1.5px] border-current", shape)} />
      {/* a text of its own, for what reads element by element */}
      <span>{statuses[known].label}</span>
    </span>
  );
}

/** The status of the SOP whose title is beside it. */
export function StatusBadge({ status }: { status: string }) {
  return <StatusMark status={status} filled />;
}
