import {
  ArrowLeftRight,
  Ban,
  Check,
  Ellipsis,
  Flag,
  MessageSquareWarning,
  Minus,
  Send,
  TriangleAlert,
  X,
  type LucideIcon,
} from "lucide-react";
import { catalog } from "#core/language/catalog.ts";
import { printedName } from "#core/users/printed-name.ts";
import { outcomeTexts } from "./texts.ts";
import type { TimelineEvent } from "./timeline-events.ts";

const texts = catalog("approvals.timeline", {
  requested: "{name} requested approval",
  approved: "{name} approved",
  rejected: "{name} rejected",
  changes_requested: "{name} requested changes",
  replaced: "{name} was replaced",
  waiting: "Waiting for {name}",
  unavailable: "{name} can't approve anymore",
  silent: "{name} didn't decide",
  withdrew: "{name} withdrew the request",
  endedBy: "{outcome} by {name}",
});

export interface TimelineEventStyle {
  Icon: LucideIcon;
  /** The color of the event's mark. It is never the only sign, because the icon and the text say the same. */
  tone: "primary" | "success" | "destructive" | "warning" | "neutral" | "open";
}

const stylesByKind: Record<Exclude<TimelineEvent["kind"], "outcome">, TimelineEventStyle> = {
  requested: { Icon: Send, tone: "primary" },
  approved: { Icon: Check, tone: "success" },
  rejected: { Icon: X, tone: "destructive" },
  changes_requested: { Icon: MessageSquareWarning, tone: "warning" },
  replaced: { Icon: ArrowLeftRight, tone: "neutral" },
  waiting: { Icon: Ellipsis, tone: "open" },
  unavailable: { Icon: TriangleAlert, tone: "warning" },
  silent: { Icon: Minus, tone: "open" },
};

export function timelineEventStyleOf(event: TimelineEvent): TimelineEventStyle {
  if (event.kind !== "outcome") return stylesByKind[event.kind];
  if (event.outcome === "approved") return { Icon: Flag, tone: "success" };
  return { Icon: Ban, tone: event.outcome === "rejected" ? "destructive" : "warning" };
}

/** The event as a sentence: 'Ben Baker (ben) approved'. */
export function timelineEventText(event: TimelineEvent): string {
  if (event.kind === "outcome") return outcomeEventText(event);
  const who = event.kind === "requested" ? event.by : event.approver.user;
  return texts[event.kind]({ name: printedName(who) });
}

function outcomeEventText({ outcome, endedBy }: Extract<TimelineEvent, { kind: "outcome" }>): string {
  if (!endedBy) return outcomeTexts[outcome];
  return outcome === "withdrawn"
    ? texts.withdrew({ name: printedName(endedBy) })
    : texts.endedBy({ outcome: outcomeTexts[outcome], name: printedName(endedBy) });
}

/** The comment given with the event; null if there is none. */
export function timelineEventComment(event: TimelineEvent): string | null {
  if (event.kind === "requested") return event.text;
  return event.kind === "outcome" ? (event.endedBy?.comment ?? null) : event.approver.comment;
}
