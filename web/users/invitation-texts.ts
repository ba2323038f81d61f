import { catalog } from "#core/language/catalog.ts";
import type { InvitationState } from "#core/invitations/rules.ts";

export const invitationTexts = catalog("users.invitation", {
  title: "Invitations",
  create: "Invite",
  cancel: "Cancel",
  list: "All invitations",
  loading: "Loading invitations…",
  loadFailed: "Couldn't load the invitations.",
  count: "{rows, plural, one {# invitation} other {# invitations}}",
  countMore: "{rows, number}+ invitations",
  columns: {
    who: "For",
    role: "Role",
    state: "State",
    invitedBy: "Invited by",
    expires: "Expires",
    actions: "Actions",
  },
  anybody: "Anyone with the link",
  states: { pending: "Open", used: "Used", revoked: "Revoked", expired: "Expired" } satisfies Record<
    InvitationState,
    string
  >,
  usedBy: "by {name}",
  revoke: "Revoke",
  revokeLabel: "Revoke the invitation for {who}",
  revokeAsk: "Revoke this invitation?",
  revokeText: "The link stops working right away.",
  revoked: "Invitation revoked",
  error: "Error",
  actionFailed: "That didn't work. Try again.",
});
