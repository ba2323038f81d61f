import { catalog } from "#core/language/catalog.ts";
import type { UnsentReason } from "#core/users/schema.ts";

/** Texts of the dialog, which load when it opens. */
export const inviteTexts = catalog("users.invite", {
  createTitle: "Invite people",
  createText: "Each link works once. You choose the role, they choose a name and password.",
  role: "Role",
  email: "Email addresses",
  emailHint: "Paste as many as you like. Leave empty for a link to hand over.",
  emailWrong: "Not an email address: {wrong}",
  notInvited: "Not invited yet: {failed}.",
  emailUnsent: {
    no_mail_server: "This server sends no email. You copy each link and pass it on.",
    unconfirmed: "Confirm your own address in Settings first, or copy the link.",
  },
  days: "Link works for",
  day: "{days, plural, one {# day} other {# days}}",
  submit: "Invite",
  submitLink: "Create Link",
  invited: "{count, plural, one {# person invited} other {# people invited}}",
  linksTitle: "Invitation links",
  linkOf: "Link for {email} as {role}",
  replaced: "The earlier link to this address no longer works.",
  copied: "The link is copied",
  done: "Done",
  failed: "Couldn't create the invitation. Try again.",
  linkTitle: "Invitation link",
  linkText: "For {email}, as {role}, until {until}. It works once.",
  linkTextAnyone: "For one new colleague, as {role}, until {until}. It works once.",
  unsent: {
    no_mail_server: "This server sends no email. Copy each link and pass it on.",
    unconfirmed: "No email was sent. Confirm your email address in Settings first, or copy the link.",
    limit: "No email was sent: your company reached the limit for today. Copy the link.",
  } satisfies Record<UnsentReason, string>,
  anybody: "Anyone with the link",
});
