import { routeGroup } from "../contract/route.ts";

export const userRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/users",
    access: "user.list",
    summary: "Active people of the company: id and name",
  },
});

const everywhere = "/api/admin/users";
const here = "/api/company/users";

/** People of every company: for the system administrators. */
export const adminUserRoutes = routeGroup({
  list: {
    method: "GET",
    path: everywhere,
    access: "companies.manage",
    scope: "admin",
    summary: "People of all companies, or of one, by name",
  },
  create: {
    method: "POST",
    path: everywhere,
    access: "companies.manage",
    scope: "admin",
    success: 201,
    touches: ["users", "companies"],
    secret: true,
    summary: "Add a user to a company (the own one unless named); without a password a link to choose one is sent",
  },
  update: {
    method: "PUT",
    path: `${everywhere}/:id`,
    access: "companies.manage",
    scope: "admin",
    touches: ["users", "companies", "me"],
    summary: "Change a user; another role, status or password ends all of the user's sessions and tokens",
  },
  remove: {
    method: "DELETE",
    path: `${everywhere}/:id`,
    access: "companies.manage",
    scope: "admin",
    touches: ["users", "companies"],
    summary: "Set a user to deleted: access ends at once, the printed name stays on what was signed",
  },
  resetPassword: {
    method: "POST",
    path: `${everywhere}/:id/reset-password`,
    access: "companies.manage",
    scope: "admin",
    secret: true,
    summary: "Send a one-use link, valid 1 hour; for a user without email the link is answered once",
  },
});

/** People of the asker's own company. */
export const companyUserRoutes = routeGroup({
  list: {
    method: "GET",
    path: here,
    access: "user.manage",
    scope: "admin",
    summary: "People of the own company by name",
  },
  create: {
    method: "POST",
    path: here,
    access: "user.manage",
    scope: "admin",
    success: 201,
    touches: ["users", "company"],
    secret: true,
    summary: "Add a user to the own company; without a password a link to choose one is sent",
  },
  update: {
    method: "PUT",
    path: `${here}/:id`,
    access: "user.manage",
    scope: "admin",
    touches: ["users", "company", "me"],
    summary: "Change a user; another role, status or password ends all of the user's sessions and tokens",
  },
  remove: {
    method: "DELETE",
    path: `${here}/:id`,
    access: "user.manage",
    scope: "admin",
    touches: ["users", "company"],
    summary: "Set a user to deleted: access ends at once, the printed name stays on what was signed",
  },
  resetPassword: {
    method: "POST",
    path: `${here}/:id/reset-password`,
    access: "user.manage",
    scope: "admin",
    secret: true,
    summary: "Send a one-use link, valid 1 hour; for a user without email the link is answered once",
  },
});
