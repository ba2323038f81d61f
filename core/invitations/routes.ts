import { routeGroup } from "../contract/route.ts";

export const invitationRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/company/invitations",
    access: "user.manage",
    scope: "admin",
    summary: "Invitations to the own company, newest first, with what became of them",
  },
  create: {
    method: "POST",
    path: "/api/company/invitations",
    access: "user.manage",
    scope: "admin",
    success: 201,
    secret: true,
    touches: ["invitations"],
    summary:
      "Invite one person with a role. The link is answered once, and emailed if you name an address and your own is confirmed",
  },
  revoke: {
    method: "DELETE",
    path: "/api/company/invitations/:id",
    access: "user.manage",
    scope: "admin",
    touches: ["invitations"],
    summary: "End an invitation that nobody used",
  },
});
