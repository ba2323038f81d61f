/** Notifications that also go out by email, unless their reader switched that off. No zod in here: browsers load it. */
export const mailKinds = [
  "approval_requested",
  "approval_decided",
  "mention",
  "comment",
  "review_due",
  "acknowledgement",
  "proposal",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** @param choices as stored: a kind that is absent comes @returns every kind with its choice */
export function mailChoicesOf(choices: Readonly<Record<string, boolean>>): Record<MailKind, boolean> {
  return Object.fromEntries(mailKinds.map((kind) => [kind, choices[kind] ?? true])) as Record<MailKind, boolean>;
}
