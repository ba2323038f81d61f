import { actionDescriptions } from "#core/access/action-descriptions.ts";
import type { Action } from "#core/access/actions.ts";
import type { GrantLevel } from "#core/access/actor.ts";

/** In the order they are read: SOPs first, then what is around them. */
export const actionsInOrder = Object.keys(actionDescriptions) as Action[];

export const levelNames: Record<GrantLevel, string> = {
  read: "Can read",
  comment: "Can comment",
  edit: "Can edit",
  approve: "Can approve",
};

export const levelHints: Record<GrantLevel, string> = {
  read: "Reads every version, drafts too.",
  comment: "Reads and comments.",
  edit: "Reads, comments, edits and asks for approval.",
  approve: "Reads, comments and may be chosen to approve. Does not edit.",
};

export const reachNames = { all: "Yes", some: "Some", none: "No" } as const;

export const shareTexts = {
  title: "Share",
  loading: "Loading who has access…",
  failed: "Who has access could not be loaded.",
  linkLabel: "Link to this SOP",
  linkHint: "It opens for whoever may read this SOP.",
  copy: "Copy link",
  copied: "Link copied",
  copyFailed: "The browser did not allow copying. Select the link and copy it by hand.",
  who: "Person or team",
  choose: "Choose…",
  people: "People",
  teams: "Teams",
  level: "Access",
  give: "Give access",
  given: "Access given",
  listTitle: "Who has been given access",
  listEmpty: "Nobody yet. Roles decide who reads this SOP.",
  listEmptyRestricted: "Nobody yet. Only the owner and company admins read this SOP.",
  team: "Team",
  revoke: "Remove",
  undo: "Undo",
  revoked: "Access removed",
  restrictedNote: "This SOP is restricted: only its owner, company admins and those listed here can read it.",
  error: "Error",
  actionFailed: "That did not work. Please try again.",
  close: "Done",
} as const;

export const restrictTexts = {
  restrict: "Restricted",
  restrictHint: "Only the owner, company admins and those listed here can read it. Others don't see that it exists.",
  restricted: "The SOP is now restricted",
  unrestricted: "The SOP is open to its usual readers again",
  loseAccess: "You will lose access to this SOP",
  loseAccessText:
    "You are neither its owner nor a company admin, and nobody has given you access. Once it is restricted you can't read it or undo this. To keep reading it, cancel and give yourself access first.",
  loseRights: "You can't undo this yourself",
  loseRightsText:
    "Once it is restricted, you can do only what you were given here, whatever your role. The owner or a company admin can lift the restriction.",
  restrictAnyway: "Restrict anyway",
  failed: "That did not work. Please try again.",
} as const;

export const userTexts = {
  title: "Permissions",
  description: "Beyond what the role gives. A denial always wins.",
  loading: "Loading permissions…",
  failed: "The permissions could not be loaded.",
  own: "Given or denied to this person",
  ownEmpty: "Nothing beyond the role.",
  allowed: "Allowed",
  denied: "Denied",
  expired: "Expired",
  untilTakenBack: "until taken back",
  remove: "Take back",
  removed: "Permission taken back",
  add: "Add a permission",
  kind: "What",
  allow: "Allow",
  deny: "Deny",
  permission: "Permission",
  choose: "Choose…",
  expiry: "Ends",
  expiryNever: "Until taken back",
  expiryDay: "In 24 hours",
  expiryWeek: "In 7 days",
  expiryMonth: "In 30 days",
  expiryDate: "On a date",
  date: "Last day",
  dateMissing: "Choose the last day",
  permissionMissing: "Choose a permission",
  save: "Add",
  saved: "Permission saved",
  nothingSettable: "You may not change the permissions of this person.",
  result: "What this comes to",
  byRole: "By role",
  now: "Now",
  some: "Some = some SOPs, for example the person's own or those of the own teams.",
  error: "Error",
  actionFailed: "That did not work. Please try again.",
  close: "Done",
} as const;

export const roleTexts = {
  title: "What roles may do",
  description:
    "Change what a role may do in this company. Company admins can always do everything, so nobody locks the company out.",
  loading: "Loading roles…",
  failed: "The roles could not be loaded.",
  role: "Role",
  permission: "Permission",
  usual: "As usual",
  allow: "Allow",
  deny: "Deny",
  changedByCompany: "changed by your company",
  resetAll: "Reset all changes",
  resetAsk: "Reset all changes to roles?",
  resetText: "Every role may do what it usually may again.",
  reset: "Reset",
  cancel: "Cancel",
  saved: "Role changed",
  resetDone: "All roles are as usual again",
  some: "Some = some SOPs, for example one's own or those of the own teams.",
  framed: "A frame marks what your company changed.",
  error: "Error",
  actionFailed: "That did not work. Please try again.",
} as const;
