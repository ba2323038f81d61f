/** Whether an account is in use, as word and icon. Color only underlines it. */
import { CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { Badge, type BadgeTone } from "./Badge.tsx";

const statuses: Record<string, { label: string; icon: LucideIcon; tone: BadgeTone }> = {
  suspended: { label: "Suspended", icon: CirclePause, tone: "warning" },
  deleted: { label: "Deleted", icon: CircleX, tone: "neutral" },
};

/** Of a user or a company that is suspended or deleted. */
export function AccountStatusBadge({ status }: { status: string }) {
  const { label, icon: Icon, tone } = statuses[status] ?? { label: status, icon: CircleX, tone: "neutral" };
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}

/** In a list: most accounts are in use, and only the others stand out. Where there is little room, only they are named. */
export function AccountStatus({ status }: { status: string }) {
  return status === "active" ? <span data-none>Active</span> : <AccountStatusBadge status={status} />;
}
