/** The life of one request as a picture: a line of time with its marks, and the same as a list to read. */
import { clsx } from "clsx";
import { useState, type ReactNode } from "react";
import { initialsOf } from "#core/users/rules.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { dateText, dateTimeText } from "../ui/time.ts";
import { elapsedText, type Approval } from "./approval-words.ts";
import { styleOf, sentenceOf, commentOf, type EventStyle } from "./timeline-event-style.ts";
import { texts } from "./texts.ts";
import { timelineEvents, spreadPositions, type TimelineEvent } from "./timeline-events.ts";

interface TimelineProps {
  approval: Approval;
  /** Actions for an approver who hasn't decided. */
  actions?: ((approver: Approval["approvers"][number]) => ReactNode) | undefined;
}

export function Timeline({ approval, actions }: TimelineProps) {
  const events = timelineEvents(approval);
  return (
    <div className="grid max-w-2xl content-start gap-3">
      <Strip approval={approval} events={events} />
      <ol aria-label={texts.timeline} className="grid">
        {events.map((event, index) => (
          <Entry
            key={keyOf(event)}
            event={event}
            before={events[index - 1] ?? null}
            isLast={index === events.length - 1}
          >
            {(event.kind === "waiting" || event.kind === "unavailable") && actions?.(event.approver)}
          </Entry>
        ))}
      </ol>
    </div>
  );
}

function keyOf(event: TimelineEvent): string {
  return `${event.kind} ${"approver" in event ? event.approver.id : ""}`;
}

const markTones: Record<EventStyle["tone"], string> = {
  primary: "border-transparent bg-primary-soft text-primary",
  success: "border-transparent bg-success-soft text-success",
  destructive: "border-transparent bg-destructive-soft text-destructive",
  warning: "border-transparent bg-warning-soft text-warning",
  neutral: "border-transparent bg-neutral-soft text-neutral",
  open: "border-dashed border-control bg-surface text-muted",
};

interface EntryProps {
  event: TimelineEvent;
  before: TimelineEvent | null;
  isLast: boolean;
  children: ReactNode;
}

function Entry({ event, before, isLast, children }: EntryProps) {
  const { Icon, tone } = styleOf(event);
  const comment = commentOf(event);
  const isOpen = tone === "open";
  return (
    // mark, face, words and action stand on one line; the way to the next mark runs beside what was said
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] items-center gap-x-2.5">
      <span
        aria-hidden
        className={clsx("grid size-7 place-items-center rounded-full border [&_svg]:size-4", markTones[tone])}
      >
        <Icon />
      </span>
      <div className="flex min-w-0 items-center gap-x-2">
        <WhoseAvatar event={event} />
        <p className={clsx("min-w-0 flex-1", isOpen ? "text-muted" : "font-medium")}>{sentenceOf(event)}</p>
        {children}
      </div>
      {!isLast && (
        <span
          aria-hidden
          className={clsx(
            "col-start-1 row-start-2 h-full justify-self-center border-l border-control",
            isOpen && "border-dashed",
          )}
        />
      )}
      <div className={clsx("col-start-2 row-start-2 min-w-0", !isLast && "pb-4")}>
        {event.at !== null && (
          <p className="text-xs text-muted">
            <time dateTime={event.at}>{dateTimeText(event.at)}</time>
            {before?.at && event.kind !== "outcome" && ` · ${elapsedText(before.at, event.at)}`}
          </p>
        )}
        {comment && (
          <blockquote className="mt-1.5 rounded-md bg-sunken px-3 py-2 break-words whitespace-pre-wrap">
            {comment}
          </blockquote>
        )}
      </div>
    </li>
  );
}

function WhoseAvatar({ event }: { event: TimelineEvent }) {
  if (event.kind === "outcome") return null;
  const initials = event.kind === "requested" ? initialsOf(event.name) : event.approver.user.initials;
  return <Avatar size="sm" initials={initials} />;
}

const stripTones: Record<EventStyle["tone"], string> = {
  primary: "fill-primary-soft stroke-primary text-primary",
  success: "fill-success-soft stroke-success text-success",
  destructive: "fill-destructive-soft stroke-destructive text-destructive",
  warning: "fill-warning-soft stroke-warning text-warning",
  neutral: "fill-neutral-soft stroke-neutral text-neutral",
  open: "fill-surface stroke-control text-muted",
};

/** The time between two marks is the distance between them; the list below says the same in words. */
function Strip({ approval, events }: { approval: Approval; events: readonly TimelineEvent[] }) {
  const [now] = useState(() => Date.now());
  const dated = events.filter((event) => event.at !== null);
  const start = Date.parse(approval.createdAt);
  const isOpen = approval.resolvedAt === null;
  const end = isOpen ? Math.max(now, start) : Date.parse(approval.resolvedAt ?? approval.createdAt);
  const times = dated.map(({ at }) => Date.parse(at ?? approval.createdAt));
  // open approvers are at the open end
  const places = spreadPositions(isOpen ? [...times, end] : times, start, end, 0.12);
  const last = places[times.length - 1] ?? 0;
  return (
    <figure aria-hidden>
      <svg width="100%" height="26" className="overflow-visible">
        <line x1={percent(0)} x2={percent(last)} y1="13" y2="13" strokeWidth="2" className="stroke-control" />
        {isOpen && (
          <line
            x1={percent(last)}
            x2={percent(1)}
            y1="13"
            y2="13"
            strokeWidth="2"
            strokeDasharray="3 4"
            className="stroke-control"
          />
        )}
        {dated.map((event, index) => (
          <Mark key={keyOf(event)} look={styleOf(event)} place={places[index] ?? 0} />
        ))}
        {isOpen && <circle cx={percent(1)} cy="13" r="6" strokeWidth="2" className={stripTones.open} />}
      </svg>
      <figcaption className="flex justify-between text-xs text-muted">
        <span>{dateText(approval.createdAt)}</span>
        <span>{isOpen ? texts.now : dateText(approval.resolvedAt ?? approval.createdAt)}</span>
      </figcaption>
    </figure>
  );
}

const percent = (place: number) => `${5 + 90 * place}%`;

function Mark({ look: { Icon, tone }, place }: { look: EventStyle; place: number }) {
  return (
    <svg x={percent(place)} className={clsx("overflow-visible", stripTones[tone])}>
      <circle cy="13" r="11" strokeWidth="1.5" />
      <Icon x={-6} y={7} width={12} height={12} fill="none" />
    </svg>
  );
}
