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
import type { Moment } from "./moments.ts";

export interface MomentLook {
  Icon: LucideIcon;
  /** Ground and colour of its mark; never the only sign: the icon and the words say the same. */
  tone: "primary" | "success" | "destructive" | "warning" | "neutral" | "open";
}

const looks: Record<Exclude<Moment["kind"], "outcome">, MomentLook> = {
  requested: { Icon: Send, tone: "primary" },
  approved: { Icon: Check, tone: "success" },
  rejected: { Icon: X, tone: "destructive" },
  changes_requested: { Icon: MessageSquareWarning, tone: "warning" },
  replaced: { Icon: ArrowLeftRight, tone: "neutral" },
  waiting: { Icon: Ellipsis, tone: "open" },
  unavailable: { Icon: TriangleAlert, tone: "warning" },
  silent: { Icon: Minus, tone: "open" },
};

export function lookOf(moment: Moment): MomentLook {
  if (moment.kind !== "outcome") return looks[moment.kind];
  if (moment.outcome === "approved") return { Icon: Flag, tone: "success" };
  return { Icon: Ban, tone: moment.outcome === "rejected" ? "destructive" : "warning" };
}

/** 'Ben Baker approved'. */
export function sentenceOf(moment: Moment): string {
  switch (moment.kind) {
    case "requested":
      return `${moment.name} requested approval`;
    case "approved":
      return `${moment.approver.user.name} approved`;
    case "rejected":
      return `${moment.approver.user.name} rejected`;
    case "changes_requested":
      return `${moment.approver.user.name} requested changes`;
    case "replaced":
      return `${moment.approver.user.name} was replaced`;
    case "outcome":
      return endOf(moment);
    case "waiting":
      return `Waiting for ${moment.approver.user.name}`;
    case "unavailable":
      return `${moment.approver.user.name} can't approve anymore`;
    case "silent":
      return `${moment.approver.user.name} didn't decide`;
  }
}

function endOf({ outcome, endedBy }: Extract<Moment, { kind: "outcome" }>): string {
  if (!endedBy) return outcomeTexts[outcome];
  return outcome === "withdrawn"
    ? `${endedBy.name} withdrew the request`
    : `${outcomeTexts[outcome]} by ${endedBy.name}`;
}

/** What was said with it. */
export function wordsOf(moment: Moment): string | null {
  if (moment.kind === "requested") return moment.text;
  return moment.kind === "outcome" ? (moment.endedBy?.comment ?? null) : moment.approver.comment;
}
