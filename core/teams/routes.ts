import { routeGroup } from "../contract/route.ts";

const one = "/api/teams/:id";

export const teamRoutes = routeGroup({
  list: { method: "GET", path: "/api/teams", access: "user", scope: "admin" },
  create: {
    method: "POST",
    path: "/api/teams",
    access: "team.write",
    scope: "admin",
    success: 201,
    touches: ["teams", "stats", "me"],
  },
  update: {
    method: "PUT",
    path: one,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "categories", "me"],
  },
  members: { method: "GET", path: `${one}/members`, access: "user", scope: "admin" },
  addMember: {
    method: "POST",
    path: `${one}/members`,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
  },
  removeMember: {
    method: "DELETE",
    path: `${one}/members/:userId`,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
  },
});
