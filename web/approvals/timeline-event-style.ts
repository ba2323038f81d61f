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
import { printedName } from "#core/users/printed-name.ts";
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

/** 'Ben Baker (ben) approved'. */
export function sentenceOf(event: TimelineEvent): string {
  switch (event.kind) {
    case "requested":
      return `${printedName(event.by)} requested approval`;
    case "approved":
      return `${printedName(event.approver.user)} approved`;
    case "rejected":
      return `${printedName(event.approver.user)} rejected`;
    case "changes_requested":
      return `${printedName(event.approver.user)} requested changes`;
    case "replaced":
      return `${printedName(event.approver.user)} was replaced`;
    case "outcome":
      return endOf(event);
    case "waiting":
      return `Waiting for ${printedName(event.approver.user)}`;
    case "unavailable":
      return `${printedName(event.approver.user)} can't approve anymore`;
    case "silent":
      return `${printedName(event.approver.user)} didn't decide`;
  }
}

function endOf({ outcome, endedBy }: Extract<TimelineEvent, { kind: "outcome" }>): string {
  if (!endedBy) return outcomeTexts[outcome];
  return outcome === "withdrawn"
    ? `${printedName(endedBy)} withdrew the request`
    : `${outcomeTexts[outcome]} by ${printedName(endedBy)}`;
}

/** What was said with it. */
export function commentOf(event: TimelineEvent): string | null {
  if (event.kind === "requested") return event.text;
  return event.kind === "outcome" ? (event.endedBy?.comment ?? null) : event.approver.comment;
}
