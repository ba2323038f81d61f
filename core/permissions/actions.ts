/** All actions that a user can try. An action with `sop.` needs its SOP; for the others, the role alone decides. */
export const sopActions = [
  "sop.read_head",
  "sop.edit",
  "sop.restore",
  "sop.publish",
  "sop.archive",
  "sop.delete",
  "sop.request_approval",
  "sop.decide",
  "sop.comment",
  "sop.share",
  "sop.restrict",
] as const;
export type SopAction = (typeof sopActions)[number];

export const roleActions = [
  "sop.create",
  "category.write",
  "team.write",
  "user.list",
  "user.manage",
  "company.settings",
  "companies.manage",
  "audit.read",
  "audit.export",
  "repository.read",
] as const;
export type RoleAction = (typeof roleActions)[number];

export type PermittedAction = SopAction | RoleAction;
export const actions = [...sopActions, ...roleActions] as const;
