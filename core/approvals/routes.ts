import { routeGroup, type Resource } from "../contract/route.ts";

const one = "/api/approvals/:id";
const changed: readonly Resource[] = ["approvals", "sops", "categories", "stats"];

/** Belongs to the group of SOPs: what is asked for is about one. */
export const sopApprovalRoutes = routeGroup({
  requestApproval: {
    method: "POST",
    path: "/api/sops/:id/request-approval",
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Submit a draft for approval: pins its version and names the approvers",
  },
});

export const approvalRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/approvals",
    access: "user",
    summary: "Requests about SOPs whose head the asker sees: what waits for him first, then newest first",
  },
  candidates: {
    method: "GET",
    path: "/api/sops/:id/approvers",
    access: "user",
    summary: "Show the rule that a request about this SOP must meet, and who can be named",
  },
  approve: {
    method: "POST",
    path: `${one}/approve`,
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Approve the pinned version; when the request's rule is met it is published",
  },
  reject: {
    method: "POST",
    path: `${one}/reject`,
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Reject the pinned version: it is a draft again",
  },
  requestChanges: {
    method: "POST",
    path: `${one}/request-changes`,
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Ask for changes, and say which: it is a draft again",
  },
  withdraw: {
    method: "POST",
    path: `${one}/withdraw`,
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Take a pending request back: it is a draft again",
  },
  replaceApprover: {
    method: "POST",
    path: `${one}/approvers`,
    access: "user",
    scope: "approvals",
    touches: changed,
    summary: "Name another approver in place of one who has not decided",
  },
});
