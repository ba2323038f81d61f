import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.life-cycle.refusals", {
  archivedAlready: "This SOP is archived already",
  notArchived: "This SOP is not archived",
  ownWork: "Your company doesn't allow approving your own work anymore",
  changedSince: "The SOP changed after this request",
  waitingVersion: "Version {version} waits for {waits}. Publish it with another effectiveAt to change the day",
  publishedAlready: "It's already published",
  archivedBeforePublishing: "This SOP is archived: unarchive it before you publish it",
  notPublished: "This SOP has no published version",
  archivedBeforeRestoring: "This SOP is archived: unarchive it before you restore a version",
  currentVersion: "This version is the current one",
  noReview: "Only an SOP that is kept has a next review",
  pastReview: "Choose a future date for the next review",
  cannotGive: "You can't give this SOP to another owner or team",
  cannotRestrict: "A save can't change who reads this SOP. Use PUT /api/sops/:id/restricted",
});
