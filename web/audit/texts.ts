import { errorTable } from "#core/errors.ts";

/** What happened, in words; what is not named here is shown as it is stored, made readable. */
const actionTexts: Record<string, string> = {
  "access.denied": "Access denied",
  "access.denied_more": "Access denied, repeatedly",
  "account.register": "Account created",
  "account.setup": "First account set up",
  "account.sign_in": "Signed in",
  "account.sign_in_failed": "Sign-in failed",
  "account.sign_in_denied": "Sign-in denied",
  "account.sign_in_limited": "Sign-in blocked for a while",
  "account.sign_out": "Signed out",
  "account.update": "Own profile changed",
  "account.password_changed": "Own password changed",
  "account.password_forgotten": "Reset link asked for",
  "account.reset_link": "Reset link made by the operator",
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
  "audit.key": "Key of the log changed",
  "audit.read_from_outside": "Log read by the system's administrators",
  "audit.redacted": "Entry's personal data erased",
  "category.create": "Category created",
  "category.update": "Category changed",
  "company.create": "Company created",
  "company.update": "Company changed",
  "company.delete": "Company deleted",
  "invitation.create": "Invitation made",
  "invitation.revoke": "Invitation revoked",
  "role.permission": "Rights of a role changed",
  "settings.update": "Own settings changed",
  "settings.reseal": "Stored key sealed again",
  "sop.acknowledge": "Read and understood",
  "sop.acknowledgement_ask": "Readers asked to confirm",
  "sop.acknowledgement_end": "Readers no longer asked to confirm",
  "sop.acknowledgement_export": "Confirmations exported",
  "sop.approve": "SOP approved",
  "sop.comment": "Comment written",
  "sop.comment_edit": "Comment changed",
  "sop.comment_remove": "Comment removed",
  "sop.comment_reopen": "Comment reopened",
  "sop.comment_resolve": "Comment resolved",
  "sop.create": "SOP created",
  "sop.lapse": "Scheduled publication called off",
  "sop.reject": "SOP rejected",
  "sop.replace_approver": "Approver replaced",
  "sop.request_approval": "Approval requested",
  "sop.request_changes": "Changes asked for",
  "sop.review": "SOP reviewed",
  "sop.schedule": "Publication scheduled",
  "sop.withdraw": "Approval request withdrawn",
  "sop.save": "SOP saved",
  "sop.move": "SOP moved to another category",
  "sop.publish": "SOP published",
  "sop.unpublish": "SOP unpublished",
  "sop.archive": "SOP archived",
  "sop.unarchive": "SOP unarchived",
  "sop.restore": "Older version brought back",
  "sop.delete": "SOP deleted",
  "sop.undelete": "SOP brought back",
  "sop.export": "SOP exported",
  "sop.grant": "SOP shared",
  "sop.revoke": "Access to SOP removed",
  "sop.restrict": "SOP restricted",
  "sop.unrestrict": "Restriction of SOP lifted",
  "suggestion.create": "Suggestion noted",
  "suggestion.status": "Suggestion settled",
  "suggestion.suggest": "Missing SOPs looked for",
  "team.create": "Team created",
  "team.update": "Team changed",
  "team.delete": "Team deleted",
  "team.member_add": "Team member added",
  "team.member_change": "Team member's role changed",
  "team.member_remove": "Team member removed",
  "token.create": "Access token made",
  "token.revoke": "Access token revoked",
  "user.create": "User created",
  "user.update": "User changed",
  "user.suspend": "User suspended",
  "user.activate": "User activated",
  "user.delete": "User deleted",
  "user.reset_password": "Reset link made for a user",
  "user.permission_give": "Right given to a user",
  "user.permission_deny": "Right denied to a user",
  "user.permission_clear": "User's own right taken back",
};

const entityTexts: Record<string, string> = {
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
  audit: "Audit log",
  key: "Key",
};

export const actionNames = Object.keys(actionTexts);
export const entityTypes = Object.keys(entityTexts);

/** `sop.grant` → 'SOP shared'; unknown ones as words. */
export function actionText(action: string): string {
  return actionTexts[action] ?? sentence(action.replace(".", ": "));
}

export function entityText(type: string): string {
  return entityTexts[type] ?? sentence(type);
}

const fieldTexts: Record<string, string> = {
  categoryId: "Category",
  teamId: "Team",
  ownerId: "Owner",
  userId: "Person",
  authorId: "Author",
  maxSOPs: "Max SOPs",
  maxBytes: "Max bytes",
  aiEnabled: "AI features",
  textRules: "Rules for texts",
  granted: "Allowed",
  sopId: "SOP",
  promptTokens: "Tokens read",
  completionTokens: "Tokens written",
  prompt: "Instruction",
  outcome: "How it ended",
};

/** `expiresAt` → 'Expires at'. */
export function fieldText(name: string): string {
  return fieldTexts[name] ?? sentence(name);
}

const failures = Object.entries(errorTable).map(([code, { message }]) => [code, message]);

const fieldWords: Record<string, Record<string, string>> = {
  outcome: {
    ...Object.fromEntries(failures),
    ok: "It was answered",
    cancelled: "Its asker left before the answer",
    lost: "The server stopped before the answer",
  },
  key: { personal: "The user's own", global: "The server's" },
  source: { rules: "Rules", ai: "AI", user: "A person" },
  kind: { all: "All approvers", any: "One approver", n_of_m: "A number of approvers" },
  documentControl: { flexible: "Flexible", strict: "Strict" },
  status: {
    draft: "Draft",
    under_review: "Under Review",
    published: "Published",
    archived: "Archived",
    pending: "Pending",
    accepted: "Accepted",
    dismissed: "Dismissed",
  },
};

/** The words of a field's values, where these are not words themselves. */
export function wordsOf(field: string): Readonly<Record<string, string>> {
  return fieldWords[field] ?? {};
}

function sentence(name: string): string {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const texts = {
  title: "Audit Log",
  subtitle: "Everything that changed in your company: who did it, when, and what it was before.",
  subtitleTeams: "What changed in the SOPs of your teams: who did it, when, and what it was before.",
  denied: "You don't have permission to read the audit log.",
  refresh: "Refresh",
  csv: "Export CSV",
  ndjson: "Export with proof",
  ndjsonHint: "A file that can be checked without this system",
  filters: "Filters",
  search: "Search the log...",
  who: "Who",
  anybody: "Anybody",
  action: "What happened",
  anything: "Anything",
  entity: "About",
  anyRecord: "Anything",
  from: "From",
  to: "To",
  oneRecord: "Entries about one record only",
  clear: "Clear all",
  list: "Audit log",
  loading: "Loading the audit log...",
  failed: "Failed to fetch the audit log",
  empty: "No entries found",
  emptySoFar: "No entries found so far",
  emptySoFarHint: "The search has not reached the end of the log: load more to go on.",
  emptyHint: "Nothing in the log matches these filters.",
  count: (rows: number, hasMore: boolean) =>
    `${rows}${hasMore ? "+" : ""} ${rows === 1 && !hasMore ? "entry" : "entries"}`,
  columns: { action: "What happened", who: "Who", about: "About", when: "When", open: "Details" },
  nobody: "Nobody signed in",
  system: "The system",
  open: "Show details",
  details: "Details",
  fields: "What changed",
  field: "Field",
  before: "Before",
  after: "After",
  value: "Value",
  noChanges: "This entry names no fields.",
  blank: "empty",
  yes: "Yes",
  no: "No",
  number: "Number in the log",
  waiting: "Gets its number within a second",
  record: "Record",
  address: "Address",
  browser: "Browser",
  fingerprint: "Fingerprint",
  sameRecord: "All entries about this record",
  openSop: "Open the SOP",
  close: "Close",
} as const;

export const chainTexts = {
  title: "Is this log complete and unchanged?",
  sound: "Checked: nothing is missing and nothing was changed.",
  broken: "The last check found that entries are missing or were changed.",
  unchecked: "Not checked yet. The log is checked once a day.",
  checkedAt: (when: string, rows: number) => `Checked ${when}, ${rows} ${rows === 1 ? "entry" : "entries"}.`,
  signed: (seq: number, of: number, when: string) => `Signed up to entry ${seq} of ${of}, ${when}.`,
  unsigned: (of: number) =>
    `${of} ${of === 1 ? "entry" : "entries"}, not signed yet. The log is signed every few minutes.`,
  more: "How to check it yourself",
  how: {
    before: "Export the log with its proof and run",
    command: "sop verify",
    after: "on the file: it compares every entry with this public key.",
  },
  key: "Public key",
  failed: "The state of the log could not be loaded.",
  findings: "What was found",
} as const;
