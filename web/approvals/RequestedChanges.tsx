import { MessageSquareWarning } from "lucide-react";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { dateTimeText } from "../ui/time.ts";
import { timelineEventsOf } from "./timeline-events.ts";
import { timelineEventText, timelineEventComment } from "./timeline-event-style.ts";
import { texts } from "./texts.ts";

/** Shows the changes that a reviewer requested, until the draft is submitted again. */
export function RequestedChanges({ sop }: { sop: Sop }) {
  const requests = useRead("approvals", "list", { query: { sopId: sop.id } });
  const [newest] = requests.data ?? [];
  if (sop.status !== "draft" || newest?.status !== "rejected") return null;
  const event = timelineEventsOf(newest).find(({ kind }) => kind === "changes_requested" || kind === "rejected");
  const comment = event && timelineEventComment(event);
  if (!event || !comment) return null;
  return (
    <details
      open
      data-print="hide"
      className="rounded-md border border-warning/35 bg-warning-soft px-3.5 py-2.5 text-sm"
    >
      <summary className="font-semibold">
        <MessageSquareWarning aria-hidden className="mr-2 ml-1 inline size-4 align-[-0.2em] text-warning" />
        {timelineEventText(event)}
        <span className="ml-2 text-xs font-normal text-muted">
          {`${texts.version({ version: newest.version })}, `}
          {event.at && <time dateTime={event.at}>{dateTimeText(event.at)}</time>}
        </span>
      </summary>
      <blockquote className="mt-1.5 max-h-40 overflow-y-auto break-words whitespace-pre-wrap">{`“${comment}”`}</blockquote>
    </details>
  );
}
