/** The texts of notifications, in the app and in emails. */
import { dayOf } from "../days.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";
import type { NotificationKind } from "./kinds.ts";

export interface NotificationFacts {
  kind: NotificationKind;
  /** The printed name of the user who caused the notification; null if a date caused it. */
  actor: string | null;
  /** The SOP as the reader can see it now; null if the reader can't see it. */
  sop: { id: string; number: string; title: string } | null;
  detail: Readonly<Record<string, string | number | null>>;
}

const texts = sentences("core.notifications", {
  approval_requested: "{who} asks you to approve {what}",
  approval_approved: "{who} approved {what}",
  approval_rejected: "{who} rejected {what}",
  approval_changes_requested: "{who} asks for changes to {what}",
  approval_withdrawn: "{who} withdrew the request to approve {what}",
  approval_voided: "{who} edited {what}. The request was canceled",
  approver_replaced: "{who} replaced you as an approver of {what}",
  approver_unavailable: "{name} can no longer approve {what}. Choose someone else",
  mention: "{who} mentioned you in a comment on {what}",
  comment: "{who} commented on {what}",
  review_due: "{what} is due for review",
  review_due_day: "{what} is due for review by {day}",
  review_overdue: "The review of {what} is overdue",
  review_overdue_day: "The review of {what} is overdue since {day}",
  acknowledgement_requested: "{who} asks you to confirm that you have read {what}",
  acknowledgement_requested_day: "{who} asks you to confirm that you have read {what}, by {day}",
  acknowledgement_due: "Confirm that you have read {what}",
  acknowledgement_due_day: "Confirm that you have read {what}, by {day}",
  acknowledgement_overdue: "Your confirmation that you have read {what} is overdue",
  acknowledgement_overdue_day: "Your confirmation that you have read {what} is overdue since {day}",
  not_in_force: "{what} wasn't published: it needs approval now",
  proposal_received: "{who} proposes a change to {what}",
  proposal_received_new: "{who} proposes a new SOP",
  proposal_received_archive: "{who} proposes to archive {what}",
  proposal_received_many: "{who} proposes {count} changes to SOPs",
  proposal_decided:
    "{who} {state, select, accepted {accepted} merged {merged} dismissed {dismissed} other {decided about}} your {kind, select, archive {proposal to archive} other {change to}} {what}",
  user_renamed: "{from} ({username}) is named {name} now",
  user_renamed_twice: "{from} ({username}) is named {name} now. In between: {between}",
  published: "{who} published {what}",
  published_by_date: "{what} is published now",
  day: "{day} (UTC)",
  some_approver: "An approver",
  some_sop: "an SOP",
  some_sop_first: "An SOP",
});

/**
 * Returns the text of a notification: one sentence without a full stop. It names the SOP only if the reader can see it.
 *
 * @param inEmail true for an email, in which the title is quoted
 */
export function notificationSentence({ kind, actor, sop, detail }: NotificationFacts, inEmail = false): MessageWithId {
  const who = capitalized(actor ?? "Sopwright");
  const title = inEmail ? `“${sop?.title.replace(/[“”]/g, '"')}”` : sop?.title;
  const named = sop && `${sop.number} ${title}`;
  const what = named ?? texts.some_sop();
  const first = { what: named === null ? texts.some_sop_first() : capitalized(named) };
  const day = dayWithTimeZone(detail[kind.startsWith("review") ? "reviewBy" : "dueAt"]);
  switch (kind) {
    case "approver_unavailable": {
      const { name } = detail;
      return texts.approver_unavailable({
        name: typeof name === "string" ? capitalized(name) : texts.some_approver(),
        what,
      });
    }
    case "review_due":
      return day ? texts.review_due_day({ ...first, day }) : texts.review_due(first);
    case "review_overdue":
      return day ? texts.review_overdue_day({ what, day }) : texts.review_overdue({ what });
    case "acknowledgement_requested":
      return day
        ? texts.acknowledgement_requested_day({ who, what, day })
        : texts.acknowledgement_requested({ who, what });
    case "acknowledgement_due":
      if (detail["overdue"] === 1)
        return day ? texts.acknowledgement_overdue_day({ what, day }) : texts.acknowledgement_overdue({ what });
      return day ? texts.acknowledgement_due_day({ what, day }) : texts.acknowledgement_due({ what });
    case "not_in_force":
      return texts.not_in_force(first);
    case "proposal_received": {
      const { count } = detail;
      if (typeof count === "number") return texts.proposal_received_many({ who, count });
      if (detail["kind"] === "archive") return texts.proposal_received_archive({ who, what });
      return detail["isNew"] === 1 ? texts.proposal_received_new({ who }) : texts.proposal_received({ who, what });
    }
    case "proposal_decided":
      return texts.proposal_decided({ who, what, state: String(detail["state"]), kind: String(detail["kind"]) });
    case "user_renamed": {
      const [from, username, name] = ["from", "username", "name"].map((field) => String(detail[field])) as [
        string,
        string,
        string,
      ];
      const renamed = { from: capitalized(from), username, name };
      const { between } = detail;
      return between === undefined
        ? texts.user_renamed(renamed)
        : texts.user_renamed_twice({ ...renamed, between: String(between) });
    }
    case "published":
      return actor === null ? texts.published_by_date(first) : texts.published({ who, what });
    default:
      return texts[kind]({ who, what });
  }
}

/** Makes the first letter a capital, because the name begins a sentence. */
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a day with its time zone, because readers are in several zones: 'Aug 1, 2026 (UTC)'. Null without a day. */
function dayWithTimeZone(value: string | number | null | undefined): MessageWithId | null {
  if (typeof value !== "string" || Number.isNaN(Date.parse(value))) return null;
  return texts.day({ day: { day: dayOf(value) } });
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
