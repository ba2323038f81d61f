import { sentences } from "../language/catalog.ts";

export const approvalRefusals = sentences("core.approvals.refusals", {
  outOfReach:
    "The rule needs {needed} approvals now, and this request names only {named, plural, one {# person} other {# people}}. It must be withdrawn and submitted again",
  underReview: "This SOP is under review already",
  archived: "This SOP is archived. Unarchive it before you submit it for approval",
  waits: "Version {version} waits for {day}. To change the day, save another effective date and submit that version",
  published: "This version is published already",
  noApprover: "You are not an approver of this request",
  decided: "You already decided on this request",
  /**
   * The message for a request for changes without a comment, which would not tell the author what to change. Approvals
   * and rejections need no comment.
   */
  changesNeedWords: "Say what has to change",
  closed: "This approval request is closed",
  notPending: "This user isn't a pending approver",
  already: "This user is an approver of this request already",
});
