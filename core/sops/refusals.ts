import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.sops.refusals", {
  archivedBeforeChanging: "This SOP is archived: unarchive it before you change it",
  unpublishInstead: "To turn a published SOP into a draft, use Unpublish",
  withdrawInstead: "To turn this SOP into a draft, withdraw the request",
  submitForReview: "Use Submit for Approval to put an SOP under review",
  archivedBeforePublishing: "This SOP is archived: unarchive it before you publish it",
  cannotPublish: "You don't have permission to publish: use Submit for Approval",
  companyApproval: "This company publishes through approval only: use Submit for Approval",
  categoryApproval: "SOPs of the category {category} are published through approval only: use Submit for Approval",
  approversDecide: "This SOP is under review. Its approvers decide",
  cannotArchive: "You don't have permission to archive this SOP",
});
