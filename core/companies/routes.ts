import { routeGroup } from "../contract/route.ts";

const all = "/api/admin/companies";
const one = `${all}/:id` as const;

/** Every company there is: for the system administrators. */
export const companyRoutes = routeGroup({
  list: {
    method: "GET",
    path: all,
    access: "companies.manage",
    scope: "admin",
    summary: "Companies by name, suspended and deleted ones too, with the places taken",
  },
  get: { method: "GET", path: one, access: "companies.manage", scope: "admin", summary: "One company" },
  create: {
    method: "POST",
    path: all,
    access: "companies.manage",
    scope: "admin",
    success: 201,
    touches: ["companies"],
    summary: "Found a company with its categories and repository; it has no users yet",
  },
  update: {
    method: "PUT",
    path: one,
    access: "companies.manage",
    scope: "admin",
    touches: ["companies", "company", "me"],
    summary: "Change a company, its plan, quotas or status; suspending ends all access at once and keeps the data",
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "companies.manage",
    scope: "admin",
    touches: ["companies"],
    summary: "Set a company to deleted: all access ends at once, the data stays",
  },
});

/** The asker's own company. */
export const ownCompanyRoutes = routeGroup({
  get: {
    method: "GET",
    path: "/api/company",
    access: "user",
    scope: "admin",
    summary: "The own company with its settings, quotas and plan: for its administrators",
  },
  update: {
    method: "PUT",
    path: "/api/company",
    access: "company.settings",
    scope: "admin",
    touches: ["company", "companies", "me"],
    summary: "Change the own company's record and settings; quotas and plan are not changed here",
  },
});
