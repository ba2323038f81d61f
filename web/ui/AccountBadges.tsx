/** Shows an account's status by a word and an icon, never by color alone. */
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

/** Shows the status in a list: a badge for inactive accounts, and the word "active", except on narrow screens. */
export function AccountStatus({ status }: { status: string }) {
  return status === "active" ? <span data-none>{texts.active}</span> : <AccountStatusBadge status={status} />;
}
