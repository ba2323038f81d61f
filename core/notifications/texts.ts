/** The texts of notifications, in the app and in emails. Browsers load this file, so it has no zod. */
import { dayWriter } from "../days.ts";
import type { NotificationKind } from "./kinds.ts";

export interface NotificationFacts {
  kind: NotificationKind;
  /** The printed name of the user who caused the notification; null if a date caused it. */
  actor: string | null;
  /** The SOP as the reader can see it now; null if the reader can't see it. */
  sop: { id: string; number: string; title: string } | null;
  detail: Readonly<Record<string, string | number | null>>;
}

interface NotificationWords {
  who: string;
  what: string;
  /** True if a date caused the notification, not a user. */
  timed: boolean;
  inEmail: boolean;
  detail: NotificationFacts["detail"];
}

const dayText = dayWriter("en-US");

/** A day of the detail, as screens say it: 'Aug 1, 2026'; empty when it is not there. */
const detailDayText = ({ detail, inEmail }: NotificationWords, field: string, before: string) => {
  const value = detail[field];
  if (typeof value !== "string" || Number.isNaN(Date.parse(value))) return "";
  return `${before}${dayText(value)}${inEmail ? " (UTC)" : ""}`;
};
const detailNameText = ({ detail }: NotificationWords) =>
  typeof detail["name"] === "string" ? detail["name"] : "An approver";

const decided: Readonly<Record<string, string>> = {
  accepted: "accepted",
  merged: "merged",
  dismissed: "dismissed",
};

const sentences: Record<NotificationKind, (words: NotificationWords) => string> = {
  approval_requested: ({ who, what }) => `${who} asks you to approve ${what}`,
  approval_approved: ({ who, what }) => `${who} approved ${what}`,
  approval_rejected: ({ who, what }) => `${who} rejected ${what}`,
  approval_changes_requested: ({ who, what }) => `${who} asks for changes to ${what}`,
  approval_withdrawn: ({ who, what }) => `${who} withdrew the request to approve ${what}`,
  approval_voided: ({ who, what }) => `${who} edited ${what}. The request was canceled`,
  approver_replaced: ({ who, what }) => `${who} replaced you as an approver of ${what}`,
  approver_unavailable: (words) => `${detailNameText(words)} can no longer approve ${words.what}. Choose someone else`,
  mention: ({ who, what }) => `${who} mentioned you in a comment on ${what}`,
  comment: ({ who, what }) => `${who} commented on ${what}`,
  review_due: (words) => `${words.what} is due for review${detailDayText(words, "reviewBy", " by ")}`,
  review_overdue: (words) => `The review of ${words.what} is overdue${detailDayText(words, "reviewBy", " since ")}`,
  acknowledgement_requested: (words) =>
    `${words.who} asks you to confirm that you have read ${words.what}${detailDayText(words, "dueAt", ", by ")}`,
  acknowledgement_due: (words) =>
    words.detail["overdue"] === 1
      ? `Your confirmation that you have read ${words.what} is overdue${detailDayText(words, "dueAt", " since ")}`
      : `Confirm that you have read ${words.what}${detailDayText(words, "dueAt", ", by ")}`,
  not_in_force: ({ what }) => `${what} wasn't published: it needs approval now`,
  proposal_received: ({ who, what, detail }) => {
    if (typeof detail["count"] === "number") return `${who} proposes ${detail["count"]} changes to SOPs`;
    if (detail["kind"] === "archive") return `${who} proposes to archive ${what}`;
    return detail["isNew"] === 1 ? `${who} proposes a new SOP` : `${who} proposes a change to ${what}`;
  },
  proposal_decided: ({ who, what, detail }) =>
    `${who} ${decided[String(detail["state"])] ?? "decided about"} your ${detail["kind"] === "archive" ? "proposal to archive" : "change to"} ${what}`,
  user_renamed: ({ detail: { from, username, name: now, between } }) =>
    `${from} (${username}) is named ${now} now${between === undefined ? "" : `. In between: ${between}`}`,
  published: ({ who, what, timed }) => (timed ? `${what} is published now` : `${who} published ${what}`),
};

/**
 * One sentence without a full stop; an SOP out of sight has neither number nor title in it.
 *
 * @param inEmail where a title has quotes, as nothing else sets it apart, and days name their time zone
 */
export function notificationText({ kind, actor, sop, detail }: NotificationFacts, inEmail = false): string {
  const title = inEmail ? `“${sop?.title.replace(/[“”]/g, '"')}”` : sop?.title;
  const what = sop ? `${sop.number} ${title}` : "an SOP";
  const text = sentences[kind]({ who: actor ?? "Sopwright", what, timed: actor === null, inEmail, detail });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The page of the web app to open; null if there is nothing to see. */
export function notificationLink({
  kind,
  sop,
  detail,
}: Pick<NotificationFacts, "sop" | "detail"> & { kind?: NotificationKind }): string | null {
  const { proposal, isNew, count } = detail;
  if (kind === "user_renamed") return "/admin/users";
  if (typeof count === "number") return "/proposals";
  // authors can see their own proposal even without access to the SOP
  if (typeof proposal === "number" && (sop || isNew === 1 || kind === "proposal_decided")) {
    return `/proposals/${proposal}`;
  }
  if (!sop) return null;
  const { commentId } = detail;
  return typeof commentId === "string" ? `/sop/${sop.id}#comment-${commentId}` : `/sop/${sop.id}`;
}
