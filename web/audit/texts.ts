import { catalog, spokenText } from "#core/language/catalog.ts";
import { errorSentences } from "#core/error-sentences.ts";

/** Names of actions. An action without a name here is shown as its id, made readable. */
const actionTexts: Record<string, string> = catalog("audit.action", {
  "access.denied": "Access denied",
  "access.denied_more": "Access denied, repeatedly",
  "account.register": "Account created",
  "account.setup": "First account set up",
  "account.sign_in": "Signed in",
  "account.sign_in_failed": "Sign-in failed",
  "account.sign_in_denied": "Sign-in denied",
  "account.sign_in_limited": "Sign-in blocked for a while",
  "account.sign_out": "Signed out",
  "account.email_confirmation": "Email confirmation sent",
  "account.email_confirmed": "Email confirmed",
  "account.update": "Own profile updated",
  "account.password_changed": "Own password changed",
  "account.password_forgotten": "Reset link requested",
  "account.reset_link": "Reset link created by the operator",
  "account.proved": "Password entered again",
  "account.unlocked": "Sign-in unblocked by the operator",
  "account.password_reset": "Password reset by link",
  "account.session_ended": "Session ended",
  "account.sessions_ended": "Other sessions ended",
  "ai.generate": "AI wrote a draft",
  "ai.improve": "AI proposed improvements",
  "ai.enhance": "AI reworded a text",
  "ai.suggest": "AI suggested SOPs",
  "asset.sweep": "Unused file removed",
  "asset.upload": "File uploaded",
  "audit.export": "Audit log exported",
  "audit.key": "Log key changed",
  "audit.read_from_outside": "Log read by system administrators",
  "audit.redacted": "Personal data of an entry erased",
  "category.create": "Category created",
  "category.update": "Category updated",
  "company.create": "Company created",
  "company.update": "Company updated",
  "company.delete": "Company deleted",
  "company.unlocked": "Sign-in unblocked by the operator",
  "invitation.create": "Invitation created",
  "invitation.revoke": "Invitation revoked",
  "mirror.update": "Mirror updated",
  "mirror.remove": "Mirror removed",
  "mirror.check": "Mirror checked again",
  "mirror.resume": "Mirror turned on again after a restore",
  "mirror.take": "Commits of the mirror wanted as proposals",
  "mirror.proposed": "Changes of the mirror became proposals",
  "mirror.secret": "Webhook secret of the mirror replaced",
  "mirror.diverged": "Mirror stopped: the remote has other commits",
  "repository.clone": "Repository cloned",
  "repository.fetch": "Repository fetched",
  "repository.verify": "Repository verified",
  "repository.push": "Proposed changes pushed by Git",
  "role.permission": "Role permissions updated",
  "search.ask": "Missing SOP asked for",
  "settings.update": "Own settings updated",
  "settings.reseal": "Stored key re-encrypted",
  "sop.acknowledge": "Reading confirmed",
  "sop.acknowledgement_ask": "Readers asked to confirm",
  "sop.acknowledgement_end": "Readers no longer asked to confirm",
  "sop.acknowledgement_export": "Confirmations exported",
  "sop.acknowledgement_remind": "Readers reminded to confirm",
  "sop.approve": "SOP approved",
  "sop.comment": "Comment added",
  "sop.comment_edit": "Comment edited",
  "sop.comment_remove": "Comment removed",
  "sop.comment_reopen": "Comment reopened",
  "sop.comment_resolve": "Comment resolved",
  "sop.create": "SOP created",
  "sop.lapse": "Scheduled publication canceled",
  "proposal.create": "Change proposed",
  "proposal.accept": "Proposal accepted",
  "proposal.merge": "Proposal merged",
  "proposal.dismiss": "Proposal dismissed",
  "proposal.supersede": "Proposal superseded",
  "sop.reject": "SOP rejected",
  "sop.replace_approver": "Approver replaced",
  "sop.request_approval": "Approval requested",
  "sop.request_changes": "Changes requested",
  "sop.review": "SOP reviewed",
  "sop.schedule": "Publication scheduled",
  "sop.withdraw": "Approval request withdrawn",
  "sop.save": "SOP saved",
  "sop.move": "SOP moved to another category",
  "sop.publish": "SOP published",
  "sop.unpublish": "SOP unpublished",
  "sop.archive": "SOP archived",
  "sop.unarchive": "SOP unarchived",
  "sop.restore": "Older version restored",
  "sop.delete": "SOP deleted",
  "sop.undelete": "SOP restored",
  "sop.export": "SOP exported",
  "sop.grant": "SOP shared",
  "sop.revoke": "Access to SOP removed",
  "sop.restrict": "SOP restricted",
  "sop.unrestrict": "SOP restriction removed",
  "suggestion.create": "Suggestion added",
  "suggestion.status": "Suggestion closed",
  "suggestion.suggest": "Missing SOPs searched for",
  "team.create": "Team created",
  "team.update": "Team updated",
  "team.delete": "Team deleted",
  "team.member_add": "Team member added",
  "team.member_change": "Team member's role changed",
  "team.member_remove": "Team member removed",
  "token.create": "Access token created",
  "token.revoke": "Access token revoked",
  "user.create": "User created",
  "user.update": "User updated",
  "user.suspend": "User suspended",
  "user.activate": "User activated",
  "user.delete": "User deleted",
  "user.reset_password": "Reset link created for a user",
  "user.permission_give": "User permission added",
  "user.permission_deny": "User permission denied",
  "user.permission_clear": "User permission removed",
});

const entityTexts: Record<string, string> = catalog("audit.entity", {
  sop: "SOP",
  user: "User",
  team: "Team",
  category: "Category",
  company: "Company",
  invitation: "Invitation",
  token: "Access token",
  asset: "File",
  ai_call: "AI call",
  suggestion: "Suggestion",
  proposal: "Proposal",
  audit: "Audit log",
  key: "Key",
});

export const actionNames = Object.keys(actionTexts);
export const entityTypes = Object.keys(entityTexts);

/** `sop.grant` becomes 'SOP shared'. An unknown action is shown as words of its id. */
export function actionText(action: string): string {
  return actionTexts[action] ?? readableName(action.replace(".", ": "));
}

export function entityText(type: string): string {
  return entityTexts[type] ?? readableName(type);
}

const fieldTexts: Record<string, string> = catalog("audit.field", {
  categoryId: "Category",
  teamId: "Team",
  ownerId: "Owner",
  userId: "Person",
  authorId: "Author",
  maxSOPs: "Max SOPs",
  planLost: "Plan limits lost",
  settingsLost: "Settings lost",
  maxBytes: "Max bytes",
  aiEnabled: "AI features",
  textRules: "Writing rules",
  granted: "Allowed",
  sopId: "SOP",
  promptTokens: "Tokens read",
  completionTokens: "Tokens written",
  prompt: "Instruction",
  outcome: "Outcome",
});

/** `expiresAt` becomes 'Expires at'. */
export function fieldText(name: string): string {
  return fieldTexts[name] ?? readableName(name);
}

const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = catalog("audit.words", {
  outcome: {
    ok: "Answered",
    cancelled: "Canceled by the user",
    lost: "The server stopped first",
  },
  key: { personal: "The user's own", global: "The server's" },
  source: { rules: "Rules", ai: "AI", user: "A person" },
  kind: { all: "All approvers", any: "One approver", n_of_m: "A number of approvers" },
  documentControl: { flexible: "Flexible", strict: "Strict" },
  status: {
    draft: "Draft",
    under_review: "Under Review",
    scheduled: "Not yet effective",
    published: "Published",
    archived: "Archived",
    pending: "Pending",
    accepted: "Accepted",
    dismissed: "Dismissed",
  },
});

/** Readable names for stored values of a field, if the values aren't words. */
export function valueLabelsOf(field: string): Readonly<Record<string, string>> {
  const words = fieldWords[field] ?? {};
  if (field !== "outcome") return words;
  return {
    ...Object.fromEntries(Object.entries(errorSentences).map(([code, sentence]) => [code, spokenText(sentence())])),
    ...words,
  };
}

function readableName(name: string): string {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const texts = catalog("audit", {
  title: "Audit Log",
  subtitle: "All changes in your company: who, when, and the values before.",
  subtitleTeams: "All changes to your teams' SOPs: who, when, and the values before.",
  denied: "You don't have permission to read the audit log.",
  refresh: "Refresh",
  csv: "Export CSV",
  ndjson: "Export with proof",
  ndjsonHint: "A file you can verify offline",
  filters: "Filters",
  who: "Who",
  anyone: "Anyone",
  action: "What happened",
  anything: "Any action",
  entity: "About",
  anyRecord: "Any record",
  from: "From",
  to: "To",
  oneRecord: "Entries for one record only",
  clear: "Clear all",
  list: "Audit log",
  loading: "Loading the audit log…",
  failed: "Failed to fetch the audit log",
  empty: "No entries found",
  emptySoFar: "No entries found so far",
  emptySoFarHint: "Not all entries searched yet. Load more to continue.",
  emptyHint: "No matches. Try other filters.",
  count: "{rows, plural, one {# entry} other {# entries}}",
  countMore: "{rows, number}+ entries",
  columns: { action: "What happened", who: "Who", about: "About", when: "When" },
  noUser: "—",
  system: "The system",
  open: "Show details",
  fields: "What changed",
  field: "Field",
  before: "Before",
  after: "After",
  value: "Value",
  noChanges: "No fields changed.",
  blank: "empty",
  yes: "Yes",
  no: "No",
  number: "Number in the log",
  waiting: "Numbered within a second",
  record: "Record",
  address: "Address",
  browser: "Browser",
  fingerprint: "Fingerprint",
  sameRecord: "All entries for this record",
  close: "Close",
});

export const auditChainTexts = catalog("audit.chain", {
  title: "Is this log complete and unchanged?",
  sound: "Verified. Nothing is missing or changed.",
  broken: "The last check found missing or changed entries.",
  unchecked: "Not checked yet.",
  checkedAt: "Checked {when}, {rows, plural, one {# entry} other {# entries}}.",
  signed: "Signed up to entry {seq} of {of, number}, {when}.",
  unsigned: "{of, plural, one {# entry} other {# entries}}, not signed yet.",
  more: "How to verify it yourself",
  how: {
    before: "Export the log with its proof, then run",
    command: "sop verify",
    after: "on the file. It checks every entry with this public key.",
  },
  key: "Public key",
  failed: "Couldn't load the state of the log.",
  findings: "What was found",
});
