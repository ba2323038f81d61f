import type { UnsentReason } from "#core/users/schema.ts";

/** Of the window alone: it loads when it opens. */
export const inviteTexts = {
  createTitle: "Invite people",
  createText: "Each link works once. You choose the role, they choose a name and password.",
  role: "Role",
  email: "Email addresses",
  emailHint: "Paste as many as you like. Leave empty for a link to hand over.",
  emailWrong: (wrong: string) => `Not an email address: ${wrong}`,
  notInvited: (failed: string) => `Not invited yet: ${failed}.`,
  emailUnsent: {
    no_mail_server: "This server sends no email. You copy each link and pass it on.",
    unconfirmed: "Confirm your own address in Settings first, or copy the link.",
  },
  days: "Link works for",
  day: (days: number) => `${days} ${days === 1 ? "day" : "days"}`,
  submit: "Invite",
  submitLink: "Create Link",
  invited: (count: number) => (count === 1 ? "1 person invited" : `${count} people invited`),
  linksTitle: "Invitation links",
  linkOf: (email: string, role: string) => `Link for ${email} as ${role}`,
  replaced: "The earlier link to this address no longer works.",
  copied: "The link is copied",
  done: "Done",
  failed: "Couldn't create the invitation. Try again.",
  linkTitle: "Invitation link",
  linkText: (role: string, email: string | null, until: string) =>
    `For ${email ?? "one new colleague"}, as ${role}, until ${until}. It works once.`,
  unsent: {
    no_mail_server: "This server sends no email. Copy each link and pass it on.",
    unconfirmed: "No email was sent. Confirm your email address in Settings first, or copy the link.",
    limit: "No email was sent: your company reached the limit for today. Copy the link.",
  } satisfies Record<UnsentReason, string>,
  anybody: "Anyone with the link",
} as const;
