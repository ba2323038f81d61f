/** The timeline of one request: past decisions, open approvers and the next step. */
import { clsx } from "clsx";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { initialsOf } from "#core/users/rules.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { dateTimeText } from "../ui/time.ts";
import type { ListedApproval } from "./approval-words.ts";
import {
  timelineEventComment,
  timelineEventText,
  timelineEventStyleOf,
  type TimelineEventStyle,
} from "./timeline-event-style.ts";
import { texts } from "./texts.ts";
import { timelineEventsOf, type TimelineEvent } from "./timeline-events.ts";

interface RequestTimelineProps {
  approval: ListedApproval;
  /** Actions for an approver who hasn't decided. */
  actions?: ((approver: ListedApproval["approvers"][number]) => ReactNode) | undefined;
  /** The user's id, if the user can decide. */
  deciding?: string | undefined;
  /** True to leave out the note, because it is elsewhere on the screen. */
  withoutNote?: boolean;
  /** What happens once enough people approve. */
  next?: string | undefined;
}

export function RequestTimeline({ approval, actions, deciding, withoutNote = false, next }: RequestTimelineProps) {
  const events = timelineEventsOf(approval);
  return (
    <ol aria-label={texts.timeline} className="grid max-w-2xl content-start">
      {events.map((event) => (
        <TimelineEntry
          key={timelineEventKeyOf(event)}
          event={event}
          isMine={event.kind === "waiting" && event.approver.userId === deciding}
          comment={withoutNote && event.kind === "requested" ? null : timelineEventComment(event)}
        >
          {(event.kind === "waiting" || event.kind === "unavailable") && actions?.(event.approver)}
        </TimelineEntry>
      ))}
      {next && (
        <li className={entryStyle}>
          <TimelineMark>
            <Check />
          </TimelineMark>
          <p className="self-center text-muted">{next}</p>
        </li>
      )}
    </ol>
  );
}

function timelineEventKeyOf(event: TimelineEvent): string {
  return `${event.kind} ${"approver" in event ? event.approver.id : ""}`;
}

/** The style of an event. A line connects its avatar to the next one. */
const entryStyle =
  "relative grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 text-t2 not-last:pb-4 not-last:before:absolute not-last:before:top-6.5 not-last:before:bottom-0.5 not-last:before:left-[0.71875rem] not-last:before:border-l not-last:before:border-line";

interface TimelineEntryProps {
  event: TimelineEvent;
  isMine: boolean;
  comment: string | null;
  children: ReactNode;
}

function TimelineEntry({ event, isMine, comment, children }: TimelineEntryProps) {
  const { tone } = timelineEventStyleOf(event);
  return (
    <li className={entryStyle}>
      <TimelineFace event={event} isMine={isMine} />
      <div className="grid min-w-0 justify-items-start self-center">
        <p className={clsx(isMine ? "font-semibold" : tone === "open" && "text-muted")}>
          {isMine ? texts.youDecide : timelineEventText(event)}
        </p>
        {event.at !== null && (
          <time dateTime={event.at} className="text-muted">
            {dateTimeText(event.at)}
          </time>
        )}
        {comment && <blockquote className="break-words whitespace-pre-wrap text-muted">{`“${comment}”`}</blockquote>}
        {children}
      </div>
    </li>
  );
}

const ringStyles: Partial<Record<TimelineEventStyle["tone"], string>> = {
  success: "ring-success",
  destructive: "ring-destructive",
  warning: "ring-warning",
};

/** Shows the person of an event. The ring's color only repeats what the event's sentence says. */
function TimelineFace({ event, isMine }: { event: TimelineEvent; isMine: boolean }) {
  const { Icon, tone } = timelineEventStyleOf(event);
  if (event.kind === "outcome")
    return (
      <TimelineMark ring={ringStyles[tone]}>
        <Icon />
      </TimelineMark>
    );
  const initials = event.kind === "requested" ? initialsOf(event.by.name) : event.approver.user.initials;
  const ring = event.kind === "unavailable" ? undefined : ringStyles[tone];
  return (
    <span
      className={clsx(
        "h-fit rounded-full",
        ring && ["ring-[1.5px] ring-offset-2 ring-offset-bg", ring],
        isMine && "[&>*]:bg-primary-soft [&>*]:text-primary",
      )}
    >
      <Avatar size="sm" initials={initials} />
    </span>
  );
}

function TimelineMark({ ring, children }: { ring?: string | undefined; children: ReactNode }) {
  return (
    <span
      aria-hidden
      className={clsx(
        "grid size-6 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-3.5",
        ring && ["ring-[1.5px] ring-offset-2 ring-offset-bg", ring],
      )}
    >
      {children}
    </span>
  );
}
