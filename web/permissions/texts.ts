import { catalog } from "#core/language/catalog.ts";
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import type { PermittedAction } from "#core/permissions/actions.ts";
import type { GrantLevel } from "#core/permissions/actor.ts";

/** All actions in the order shown: first about SOPs, then others. */
export const actionsInOrder = Object.keys(actionDescriptions) as PermittedAction[];

export const levelNames = catalog("permissions.level-names", {
  read: "Can read",
  comment: "Can comment",
  edit: "Can edit",
  approve: "Can approve",
}) satisfies Record<GrantLevel, string>;

export const levelHints = catalog("permissions.level-hints", {
  read: "Reads every version, including drafts.",
  comment: "Reads and comments.",
  edit: "Reads, comments, edits and submits for approval.",
  approve: "Reads and comments. Can be chosen to approve. Can't edit.",
}) satisfies Record<GrantLevel, string>;

export const reachNames = catalog("permissions.reach-names", { all: "Yes", some: "Some", none: "No" });

export const shareTexts = catalog("permissions.share", {
  title: "Share",
  loading: "Loading who has access…",
  failed: "Couldn't load who has access.",
  linkLabel: "Link to this SOP",
  linkHint: "Opens for people who can read this SOP.",
  copied: "Link copied",
  onPhone: "Open on a phone",
  printSign: "Print sign",
  noCode: "No QR code: this address opens on this computer only. Your system administrator can change that.",
  who: "Person or team",
  choose: "Choose…",
  people: "People",
  teams: "Teams",
  level: "Access",
  share: "Share",
  given: "SOP shared",
  listTitle: "People with access",
  owner: "the owner",
  untilPublished: ", until it's published",
  team: "Team",
  revoke: "Remove",
  undo: "Undo",
  revoked: "Access removed",
  restrictedNote: "This SOP is restricted: only its owner, company admins and those listed here can read it.",
  error: "Error",
  actionFailed: "That didn't work. Try again.",
  close: "Done",
  qrCode: "QR code: {address}",
  everyoneAt: "Everyone at {company}",
  sharedBy: "shared by {name}",
  companyAdmins: "company admins",
});

export const restrictTexts = catalog("permissions.restrict", {
  restrict: "Restricted",
  restrictHint: "Only the owner, company admins and those listed here can read it. Others don't see that it exists.",
  restricted: "The SOP is now restricted",
  unrestricted: "The SOP is no longer restricted",
  loseAccess: "You'll lose access to this SOP",
  loseAccessText: "You won't be able to read it or undo this. To keep access, cancel and give yourself access first.",
  loseRights: "You can't undo this yourself",
  loseRightsText:
    "Your role won't count anymore, only the access listed here. The owner or a company admin can undo it.",
  restrictAnyway: "Restrict anyway",
  failed: "That didn't work. Try again.",
});

export const userTexts = catalog("permissions.user", {
  title: "Permissions",
  description: "In addition to the role. Deny always wins.",
  loading: "Loading permissions…",
  failed: "Couldn't load the permissions.",
  own: "Allowed or denied for this person",
  ownEmpty: "No extra permissions.",
  allowed: "Allowed",
  denied: "Denied",
  expired: "Expired",
  noEnd: "no end date",
  remove: "Remove",
  removed: "Permission removed",
  add: "Add a permission",
  kind: "What",
  allow: "Allow",
  deny: "Deny",
  permission: "Permission",
  choose: "Choose…",
  expiry: "Expires",
  expiryNever: "Never",
  expiryDay: "In 24 hours",
  expiryWeek: "In 7 days",
  expiryMonth: "In 30 days",
  expiryDate: "On a date",
  date: "Last day",
  dateMissing: "Choose the last day",
  permissionMissing: "Choose a permission",
  save: "Add",
  saved: "Permission saved",
  nothingSettable: "You can't change this person's permissions.",
  result: "Result",
  byRole: "By role",
  now: "Now",
  some: "Some: only some SOPs, such as their own or their teams'.",
  error: "Error",
  actionFailed: "That didn't work. Try again.",
  close: "Done",
  until: "until {expiresAt}",
  by: "by {name}",
});

export const roleTexts = catalog("permissions.role", {
  title: "Role permissions",
  description: "Change what each role can do. Company admins can always do everything.",
  loading: "Loading roles…",
  failed: "Couldn't load the roles.",
  role: "Role",
  permission: "Permission",
  usual: "Default",
  allow: "Allow",
  deny: "Deny",
  changedByCompany: "changed by your company",
  resetAll: "Reset all changes",
  resetAsk: "Reset all changes to roles?",
  resetText: "All roles go back to their defaults.",
  reset: "Reset",
  cancel: "Cancel",
  saved: "Role changed",
  resetDone: "All roles reset",
  some: "Some: only some SOPs, such as their own or their teams'.",
  framed: "Outlined: changed by your company.",
  error: "Error",
  actionFailed: "That didn't work. Try again.",
});
