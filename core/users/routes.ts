import { routeGroup } from "../contract/route.ts";

export const userRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/users",
    access: "user.list",
  },
});

const everywhere = "/api/admin/users";
const here = "/api/company/users";

/** Calls for system administrators, about users of all companies. */
export const adminUserRoutes = routeGroup({
  list: {
    method: "GET",
    path: everywhere,
    access: "companies.manage",
    scope: "admin",
  },
  create: {
    method: "POST",
    path: everywhere,
    access: "companies.manage",
    scope: "session",
    proven: "credentials",
    success: 201,
    touches: ["users", "companies"],
    secret: true,
  },
  update: {
    method: "PUT",
    path: `${everywhere}/:id`,
    access: "companies.manage",
    scope: "admin",
    touches: ["users", "companies", "me"],
  },
  remove: {
    method: "DELETE",
    path: `${everywhere}/:id`,
    access: "companies.manage",
    scope: "admin",
    touches: ["users", "companies"],
  },
  resetPassword: {
    method: "POST",
    path: `${everywhere}/:id/reset-password`,
    access: "companies.manage",
    scope: "session",
    proven: "credentials",
    secret: true,
  },
});

/** Calls about users of the user's own company. */
export const companyUserRoutes = routeGroup({
  list: {
    method: "GET",
    path: here,
    access: "user.manage",
    scope: "admin",
  },
  create: {
    method: "POST",
    path: here,
    access: "user.manage",
    scope: "session",
    proven: "credentials",
    success: 201,
    touches: ["users", "company"],
    secret: true,
  },
  update: {
    method: "PUT",
    path: `${here}/:id`,
    access: "user.manage",
    scope: "admin",
    touches: ["users", "company", "me"],
  },
  remove: {
    method: "DELETE",
    path: `${here}/:id`,
    access: "user.manage",
    scope: "admin",
    touches: ["users", "company"],
  },
  resetPassword: {
    method: "POST",
    path: `${here}/:id/reset-password`,
    access: "user.manage",
    scope: "session",
    proven: "credentials",
    secret: true,
  },
});
