/**
 * Kinds of notifications that are also sent by email, unless the user turns them off. Browsers load this file, so it
 * has no zod.
 */
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

/** Completes a user's stored choices: every kind with `true` if emails of the kind are sent. An absent kind is sent. */
export function mailChoicesOf(choices: Readonly<Record<string, boolean>>): Record<MailKind, boolean> {
  return Object.fromEntries(mailKinds.map((kind) => [kind, choices[kind] ?? true])) as Record<MailKind, boolean>;
}
