/** A user's role, and whether the account is in use, as word and icon. Color only underlines it. */
import { CircleCheck, CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { Badge, type BadgeTone } from "./Badge.tsx";

const statuses: Record<string, { label: string; icon: LucideIcon; tone: BadgeTone }> = {
  active: { label: "Active", icon: CircleCheck, tone: "success" },
  suspended: { label: "Suspended", icon: CirclePause, tone: "warning" },
  deleted: { label: "Deleted", icon: CircleX, tone: "neutral" },
};

/** Of a user or a company: active, suspended, deleted. */
export function AccountStatusBadge({ status }: { status: string }) {
  const { label, icon: Icon, tone } = statuses[status] ?? { label: status, icon: CircleX, tone: "neutral" };
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}

const roleTones: Record<string, BadgeTone> = {
  system_admin: "accent",
  company_admin: "primary",
  admin: "primary",
  manager: "neutral",
  editor: "neutral",
};

/** `role` as stored, `label` as `roleLabel` says it. */
export function RoleBadge({ role, label }: { role: string; label: string }) {
  return <Badge tone={roleTones[role] ?? "outline"}>{label}</Badge>;
}
