/** Shows an account's status by word and icon. Color only supports them. */
import { CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { Badge, type BadgeTone } from "./Badge.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.account-badges", {
  active: "Active",
  suspended: "Suspended",
  deleted: "Deleted",
});

const statuses: Record<string, { icon: LucideIcon; tone: BadgeTone }> = {
  suspended: { icon: CirclePause, tone: "warning" },
  deleted: { icon: CircleX, tone: "neutral" },
};

/** The status of a user or company that is suspended or deleted. */
export function AccountStatusBadge({ status }: { status: string }) {
  const { icon: Icon, tone } = statuses[status] ?? { icon: CircleX, tone: "neutral" };
  const labels: Readonly<Record<string, string>> = texts;
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {labels[status] ?? status}
    </Badge>
  );
}

/** The status in a list. Only accounts that aren't active get a badge, and on narrow screens "active" is hidden. */
export function AccountStatus({ status }: { status: string }) {
  return status === "active" ? <span data-none>{texts.active}</span> : <AccountStatusBadge status={status} />;
}
