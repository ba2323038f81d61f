import { routeGroup } from "../contract/route.ts";

const all = "/api/admin/companies";
const one = `${all}/:id` as const;

/** Calls for system administrators, about all companies. */
export const companyRoutes = routeGroup({
  list: {
    method: "GET",
    path: all,
    access: "companies.manage",
    scope: "admin",
  },
  get: { method: "GET", path: one, access: "companies.manage", scope: "admin" },
  create: {
    method: "POST",
    path: all,
    access: "companies.manage",
    scope: "admin",
    success: 201,
    touches: ["companies"],
  },
  update: {
    method: "PUT",
    path: one,
    access: "companies.manage",
    scope: "admin",
    touches: ["companies", "company", "me"],
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "companies.manage",
    scope: "admin",
    touches: ["companies"],
  },
});

/** Calls about the user's own company. */
export const ownCompanyRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/company",
    access: "user",
    scope: "admin",
  },
  update: {
    method: "PUT",
    path: "/api/company",
    access: "company.settings",
    scope: "admin",
    touches: ["company", "companies", "me"],
  },
});
