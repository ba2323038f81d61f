import { routeGroup } from "../contract/route.ts";

export const invitationRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/invitations",
    access: "user.manage",
    scope: "admin",
  },
  create: {
    method: "POST",
    path: "/api/company/invitations",
    access: "user.manage",
    scope: "session",
    proven: "credentials",
    success: 201,
    secret: true,
    touches: ["invitations"],
  },
  revoke: {
    method: "DELETE",
    path: "/api/company/invitations/:id",
    access: "user.manage",
    scope: "admin",
    touches: ["invitations"],
  },
});
