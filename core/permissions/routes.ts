import { routeGroup, type Route } from "../contract/route.ts";

function personRows<const Base extends string, const Access extends Route["access"]>(base: Base, access: Access) {
  const path = `/api/${base}/users/:id/permissions` as const;
  return {
    list: { method: "GET", path, access, scope: "admin", summary: "A user's own rights, and what they come to" },
    set: {
      method: "POST",
      path,
      access,
      scope: "admin",
      touches: ["users", "me"],
      summary: "Give a user a single right or deny it, until a time or until taken back",
    },
    clear: {
      method: "DELETE",
      path: `${path}/:permissionId`,
      access,
      scope: "admin",
      touches: ["users", "me"],
      summary: "Take back a user's own right or denial",
    },
  } as const;
}

export const companyPermissionRoutes = routeGroup(personRows("company", "company.settings"));
export const adminPermissionRoutes = routeGroup(personRows("admin", "companies.manage"));

export const roleRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/roles",
    access: "company.settings",
    scope: "admin",
    summary: "Every role and action: what the product says, what the company says, what holds",
  },
  set: {
    method: "PUT",
    path: "/api/company/roles",
    access: "company.settings",
    scope: "admin",
    touches: ["roles", "me", "sops"],
    summary: "Give a role a right, deny it, or (null) leave it to the product",
  },
});
