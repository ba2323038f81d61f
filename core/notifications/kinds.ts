/** The kinds of notifications, without zod. The kinds of email (`core/settings/mail-kinds.ts`) group them. */
import type { MailKind } from "../settings/mail-kinds.ts";

/** Each kind with the setting for its emails; null: the kind has no email. */
export const notificationKinds = {
  approval_requested: "approval_requested",
  approval_approved: "approval_decided",
  approval_rejected: "approval_decided",
  approval_changes_requested: "approval_decided",
  approval_withdrawn: "approval_decided",
  approval_voided: "approval_decided",
  approver_replaced: "approval_requested",
  approver_unavailable: "approval_decided",
  mention: "mention",
  comment: "comment",
  review_due: "review_due",
  review_overdue: "review_due",
  acknowledgement_requested: "acknowledgement",
  acknowledgement_due: "acknowledgement",
  published: null,
  not_in_force: "approval_decided",
  proposal_received: "proposal",
  proposal_decided: "proposal",
  user_renamed: null,
} as const satisfies Record<string, MailKind | null>;
export type NotificationKind = keyof typeof notificationKinds;

/** Tells whether a notification is about the latest saved version, which not every reader of the SOP sees. */
export function isAboutLatestVersion(
  kind: NotificationKind,
  detail: Readonly<Record<string, string | number | null>>,
  sop: { published: { version: number } | null },
): boolean {
  const { audience, version } = detail;
  if (audience === "head") return true;
  return typeof version === "number" ? version > (sop.published?.version ?? 0) : latestKinds.has(kind);
}
/** Kinds that can be about the latest version even if they name no version. */
const latestKinds: ReadonlySet<NotificationKind> = new Set([
  "approval_requested",
  "approval_rejected",
  "approval_changes_requested",
  "approval_withdrawn",
  "approval_voided",
  "approver_replaced",
  "approver_unavailable",
]);
