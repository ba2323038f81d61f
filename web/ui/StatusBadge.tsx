/** Status is colour and icon and word, never colour alone. */
import type { SopStatus } from "#core/sops/statuses.ts";
import { Archive, CircleCheck, Clock, Pencil, type LucideIcon } from "lucide-react";
import { Badge, type BadgeTone } from "./Badge.tsx";

export type Status = SopStatus;

export const statuses: Record<Status, { label: string; icon: LucideIcon; tone: BadgeTone }> = {
  published: { label: "Published", icon: CircleCheck, tone: "success" },
  draft: { label: "Draft", icon: Pencil, tone: "neutral" },
  under_review: { label: "Under Review", icon: Clock, tone: "warning" },
  archived: { label: "Archived", icon: Archive, tone: "outline" },
};

/** An unknown status is shown as draft. */
export function statusOf(status: string): Status {
  return Object.hasOwn(statuses, status) ? (status as Status) : "draft";
}

export function StatusBadge({ status }: { status: string }) {
  const { label, icon: Icon, tone } = statuses[statusOf(status)];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}
