import { routeGroup } from "../contract/route.ts";

export const auditRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/audit",
    access: "user",
    scope: "admin",
  },
  state: {
    method: "GET",
    path: "/api/company/audit/state",
    access: "audit.read",
    scope: "admin",
  },
  export: {
    method: "GET",
    path: "/api/company/audit/export",
    access: "audit.export",
    kind: "file",
    produces: ["text/csv", "application/x-ndjson"],
    scope: "admin",
  },
  adminList: {
    method: "GET",
    path: "/api/admin/audit",
    access: "companies.manage",
    scope: "admin",
  },
  adminExport: {
    method: "GET",
    path: "/api/admin/audit/export",
    access: "companies.manage",
    kind: "file",
    produces: ["text/csv", "application/x-ndjson"],
    scope: "admin",
  },
});
