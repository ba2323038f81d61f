/** What waits for me, most urgent kind first: shown only when there is something. */
import { BookOpenCheck, CalendarClock, ClipboardCheck, MessageSquareWarning } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { useRead } from "../api.ts";
import { usePendingApprovals } from "../approvals/use-pending-approvals.ts";
import { Badge, type BadgeTone } from "../ui/Badge.tsx";
import { Card } from "../ui/Card.tsx";
import { dayText, timeAgo } from "../ui/time.ts";
import { needsTexts as texts } from "./texts.ts";

interface Item {
  sop: { id: string; number: string; title: string };
  to: string;
  /** One line of why. */
  reason: ReactNode;
  overdue?: boolean;
}

const shownAtOnce = 3;

export function NeedsAttention() {
  const { data: needs } = useRead("stats", "needs", {});
  const approvals = usePendingApprovals();
  const { returned = [], toRead = [], reviews = [] } = needs ?? {};
  if (approvals.length + returned.length + toRead.length + reviews.length === 0) return null;
  return (
    <section aria-labelledby="needs-you" className="grid flex-2 basis-128 gap-3">
      <h2 id="needs-you" className="text-lg font-semibold">
        {texts.heading}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Kind
          icon={<ClipboardCheck />}
          tone="warning"
          title={texts.approvals}
          all="/pending"
          items={approvals.map(({ sop, version, requestedBy, createdAt }) => ({
            sop,
            to: `/pending?sop=${sop.id}`,
            reason: `Version ${version}, submitted by ${requestedBy.name} ${timeAgo(createdAt)}`,
          }))}
        />
        <Kind
          icon={<MessageSquareWarning />}
          tone="warning"
          title={texts.returned}
          all="/sops?status=draft&mine=true"
          items={returned.map(({ sop, by, comment, outcome }) => ({
            sop,
            to: `/sop/${sop.id}`,
            reason: `${texts.outcomes[outcome](by)}${comment ? `: “${comment}”` : ""}`,
          }))}
        />
        <Kind
          icon={<BookOpenCheck />}
          tone="primary"
          title={texts.toRead}
          items={toRead.map(({ sop, version, dueBy, overdue }) => ({
            sop,
            to: `/sop/${sop.id}`,
            reason: dueBy === null ? `Version ${version}` : `Version ${version}, due ${dayText(dueBy)}`,
            overdue,
          }))}
        />
        <Kind
          icon={<CalendarClock />}
          tone="primary"
          title={texts.reviews}
          all="/sops?review=due&mine=true"
          items={reviews.map(({ sop, reviewBy, overdue }) => ({
            sop,
            to: `/sop/${sop.id}`,
            reason: `Review by ${dayText(reviewBy)}`,
            overdue,
          }))}
        />
      </div>
    </section>
  );
}

interface KindProps {
  icon: ReactNode;
  tone: BadgeTone;
  title: string;
  /** The list that holds all of them; without one they unfold here. */
  all?: string;
  items: readonly Item[];
}

function Kind({ icon, tone, title, all, items }: KindProps) {
  const heading = useId();
  const [shown, rest] = [items.slice(0, shownAtOnce), items.slice(shownAtOnce)];
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <Card className="px-4 py-3">
        <h3 id={heading} className="flex items-center gap-2 font-semibold [&_svg]:size-4">
          <span aria-hidden>{icon}</span>
          {title}
          <Badge tone={tone}>{items.length}</Badge>
        </h3>
        <List items={shown} />
        {all ? (
          <Link to={all} className="text-sm text-primary hover:underline" aria-label={texts.all(title)}>
            {texts.seeAll}
          </Link>
        ) : (
          rest.length > 0 && (
            <details>
              <summary className="text-sm text-primary">{`${rest.length} more`}</summary>
              <List items={rest} />
            </details>
          )
        )}
      </Card>
    </section>
  );
}

function List({ items }: { items: readonly Item[] }) {
  return (
    <ul className="divide-y divide-line">
      {items.map(({ sop, to, reason, overdue = false }) => (
        <li key={sop.id} className="relative py-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <Link
              to={to}
              className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
            >
              <span className="mr-2 font-mono text-xs text-muted">{sop.number}</span>
              {sop.title}
            </Link>
            {overdue && <Badge tone="destructive">{texts.overdue}</Badge>}
          </p>
          <p className="line-clamp-2 text-sm text-muted wrap-anywhere">{reason}</p>
        </li>
      ))}
    </ul>
  );
}
