import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.permissions.refusals", {
  fixedPermission: "You can't change this permission of this role",
  moreThanOwn: "You can't give more access than you have",
  tooManyShares: "An SOP is shared with at most {grantsAtMost} people and teams: share it with a team",
  ownPermissions: "You can't change your own permissions",
  notYours: "You can't give or deny this permission to this user",
  longerDenial: "This permission is denied for longer. Remove the denial first",
  pastDate: "Choose a future date",
  unknownTeam: "This team is not known",
  inactiveUser: "This is not an active user of the company",
});
