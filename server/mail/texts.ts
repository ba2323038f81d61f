/** The texts of emails, by template. Values are in `compose.ts`. */
import { catalog } from "#core/language/catalog.ts";

export const mailTexts = catalog("server.mail", {
  "email-changed": {
    subject: "Your email address was changed",
    text: "Hello {name},\n\nThe email address of your account {username} was changed on {at}.\nYou get this email at your previous address.\n\nIf this wasn't you, tell your administrator and change your password:\n\n{url}\n",
  },
  "email-confirmation": {
    subject: "Confirm your email address",
    text: "Hello,\n\nConfirm that this is the address of your Sopwright account:\n\n{link}\n\nThe link works once, for 24 hours.\nIf you don't have an account here, do nothing.\n",
  },
  invitation: {
    subject: "{invitedBy} invites you to {company}",
    text: "Hello,\n\n{invitedBy} invites you to write and review procedures in “{company}” as {role}.\nCreate your account:\n\n{link}\n\nThe link works once, until {expiresAt}. Don't share it: anyone who has it can use it.\n",
  },
  notification: {
    subject: "{text}",
    text: "Hello {name},\n\n{text}:\n\n{link}\n\nChoose which notifications you get by email:\n\n{url}/settings#mail\n",
  },
  notifications: {
    subject: "{count} new notifications",
    text: "Hello {name},\n\nThis happened since the last email:\n\n{items}\n\nChoose which notifications you get by email:\n\n{url}/settings#mail\n",
  },
  "password-changed": {
    subject: "Your password was changed",
    text: "Hello {name},\n\nThe password of your account {username} was changed on {at}.\nAll other sessions and all access tokens of the account ended.\n\nIf this wasn't you, set a new password now:\n\n{url}/forgot-password\n",
  },
  "password-reset-unconfirmed": {
    subject: "Set a new password",
    text: "Hello,\n\nSet a new password for your Sopwright account:\n\n{link}\n\nThe link works once, for 1 hour.\nIf you don't have an account here, do nothing.\n",
  },
  "password-reset": {
    subject: "Set a new password",
    text: "Hello {name},\n\nSet a new password for your account {username}:\n\n{link}\n\nThe link works once, for 1 hour.\nIf you didn't ask for it, do nothing. Your password stays the same.\n",
  },
  registered: {
    subject: "Welcome to Sopwright",
    text: "Hello {name},\n\nYour account {username} in “{company}” is ready:\n\n{url}\n",
  },
  "repository-heads": {
    subject: "Repository of {company}: its latest commits",
    text: "Hello,\n\n{text}\nKeep this email. With it, an auditor can prove that no older version was changed:\n\nsop verify clone --expect {history}\n\nhistory: {history}\nmain: {main}\nchecked on {at}\n\nYou get this email because your company chose this address in its settings.\n",
  },
  "token-created": {
    subject: "A new access token for your account",
    text: "Hello {name},\n\nThe access token “{token}” was created for your account {username} on {at}.\nIts scopes are {scopes}. It expires on {expiresAt}.\n\nIf this wasn't you, revoke the token and change your password:\n\n{url}\n",
  },
});
