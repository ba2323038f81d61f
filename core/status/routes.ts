import { routeGroup } from "../contract/route.ts";

export const statusRoutes = routeGroup({
  get: { method: "GET", path: "/api/admin/status", access: "companies.manage", scope: "admin" },
});
