import { routeGroup } from "../contract/route.ts";

export const auditRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/audit",
    access: "user",
    scope: "admin",
    summary: "What happened in the company, newest first; managers see the SOPs of their teams",
  },
  state: {
    method: "GET",
    path: "/api/company/audit/state",
    access: "audit.read",
    scope: "admin",
    summary: "How far the log is chained and signed, by which key, and what its last verification said",
  },
  export: {
    method: "GET",
    path: "/api/company/audit/export",
    access: "audit.export",
    kind: "file",
    produces: ["text/csv", "application/x-ndjson"],
    scope: "admin",
    summary: "The log as CSV, or as NDJSON with the proof that `sop verify` checks",
  },
  adminList: {
    method: "GET",
    path: "/api/admin/audit",
    access: "companies.manage",
    scope: "admin",
    summary: "What happened in any company; asking leaves a row in its log",
  },
  adminExport: {
    method: "GET",
    path: "/api/admin/audit/export",
    access: "companies.manage",
    kind: "file",
    produces: ["text/csv", "application/x-ndjson"],
    scope: "admin",
    summary: "Any company's log as a file; asking leaves a row in its log",
  },
});
