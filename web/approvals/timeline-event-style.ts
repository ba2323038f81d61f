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
import { outcomeTexts } from "./texts.ts";
import type { TimelineEvent } from "./timeline-events.ts";

export interface EventStyle {
  Icon: LucideIcon;
  /** Ground and colour of its mark; never the only sign: the icon and the words say the same. */
  tone: "primary" | "success" | "destructive" | "warning" | "neutral" | "open";
}

const styles: Record<Exclude<TimelineEvent["kind"], "outcome">, EventStyle> = {
  requested: { Icon: Send, tone: "primary" },
  approved: { Icon: Check, tone: "success" },
  rejected: { Icon: X, tone: "destructive" },
  changes_requested: { Icon: MessageSquareWarning, tone: "warning" },
  replaced: { Icon: ArrowLeftRight, tone: "neutral" },
  waiting: { Icon: Ellipsis, tone: "open" },
  unavailable: { Icon: TriangleAlert, tone: "warning" },
  silent: { Icon: Minus, tone: "open" },
};

export function styleOf(event: TimelineEvent): EventStyle {
  if (event.kind !== "outcome") return styles[event.kind];
  if (event.outcome === "approved") return { Icon: Flag, tone: "success" };
  return { Icon: Ban, tone: event.outcome === "rejected" ? "destructive" : "warning" };
}

/** 'Ben Baker approved'. */
export function sentenceOf(event: TimelineEvent): string {
  switch (event.kind) {
    case "requested":
      return `${event.name} requested approval`;
    case "approved":
      return `${event.approver.user.name} approved`;
    case "rejected":
      return `${event.approver.user.name} rejected`;
    case "changes_requested":
      return `${event.approver.user.name} requested changes`;
    case "replaced":
      return `${event.approver.user.name} was replaced`;
    case "outcome":
      return endOf(event);
    case "waiting":
      return `Waiting for ${event.approver.user.name}`;
    case "unavailable":
      return `${event.approver.user.name} can't approve anymore`;
    case "silent":
      return `${event.approver.user.name} didn't decide`;
  }
}

function endOf({ outcome, endedBy }: Extract<TimelineEvent, { kind: "outcome" }>): string {
  if (!endedBy) return outcomeTexts[outcome];
  return outcome === "withdrawn"
    ? `${endedBy.name} withdrew the request`
    : `${outcomeTexts[outcome]} by ${endedBy.name}`;
}

/** What was said with it. */
export function commentOf(event: TimelineEvent): string | null {
  if (event.kind === "requested") return event.text;
  return event.kind === "outcome" ? (event.endedBy?.comment ?? null) : event.approver.comment;
}
