import { routeGroup } from "../contract/route.ts";

const one = "/api/approvals/:id";
const changed = ["approvals", "sops", "categories", "stats"] as const;

/** These calls belong to the group of SOPs, because each request is about one SOP. */
export const sopApprovalRoutes = routeGroup({
  requestApproval: {
    method: "POST",
    path: "/api/sops/:id/request-approval",
    access: "user",
    scope: "approvals",
    touches: changed,
  },
});

export const approvalRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/approvals",
    access: "user",
  },
  candidates: {
    method: "GET",
    path: "/api/sops/:id/approvers",
    access: "user",
  },
  approve: {
    method: "POST",
    path: `${one}/approve`,
    access: "user",
    scope: "approvals",
    touches: changed,
  },
  reject: {
    method: "POST",
    path: `${one}/reject`,
    access: "user",
    scope: "approvals",
    touches: changed,
  },
  requestChanges: {
    method: "POST",
    path: `${one}/request-changes`,
    access: "user",
    scope: "approvals",
    touches: changed,
  },
  withdraw: {
    method: "POST",
    path: `${one}/withdraw`,
    access: "user",
    scope: "approvals",
    touches: changed,
  },
  replaceApprover: {
    method: "POST",
    path: `${one}/approvers`,
    access: "user",
    scope: "approvals",
    touches: changed,
  },
});
