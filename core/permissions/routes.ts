import { routeGroup, type Route } from "../contract/route.ts";

function userPermissionRows<const Base extends string, const Access extends Route["access"]>(
  base: Base,
  access: Access,
) {
  const path = `/api/${base}/users/:id/permissions` as const;
  return {
    list: { method: "GET", path, access, scope: "admin" },
    set: {
      method: "POST",
      path,
      access,
      scope: "session",
      proven: "credentials",
      touches: ["users", "me"],
    },
    clear: {
      method: "DELETE",
      path: `${path}/:permissionId`,
      access,
      scope: "session",
      proven: "credentials",
      touches: ["users", "me"],
    },
  } as const;
}

export const companyPermissionRoutes = routeGroup(userPermissionRows("company", "company.settings"));
export const adminPermissionRoutes = routeGroup(userPermissionRows("admin", "companies.manage"));

export const roleRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/roles",
    access: "company.settings",
    scope: "admin",
  },
  set: {
    method: "PUT",
    path: "/api/company/roles",
    access: "company.settings",
    scope: "session",
    proven: "credentials",
    touches: ["roles", "me", "sops"],
  },
});
