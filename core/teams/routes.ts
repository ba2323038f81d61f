import { routeGroup } from "../contract/route.ts";

const one = "/api/teams/:id";

export const teamRoutes = routeGroup({
  list: { method: "GET", path: "/api/teams", access: "user", scope: "admin", summary: "Teams of the company" },
  create: {
    method: "POST",
    path: "/api/teams",
    access: "team.write",
    scope: "admin",
    success: 201,
    touches: ["teams", "stats", "me"],
    summary: "Create a team; its owner is its first member",
  },
  update: {
    method: "PUT",
    path: one,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
    summary: "Rename or describe a team, or give it another owner",
  },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "categories", "me"],
    summary: "Delete a team: its SOPs and categories stay, without a team",
  },
  members: { method: "GET", path: `${one}/members`, access: "user", scope: "admin", summary: "Members of a team" },
  addMember: {
    method: "POST",
    path: `${one}/members`,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
    summary: "Add a member, or change a member's role",
  },
  removeMember: {
    method: "DELETE",
    path: `${one}/members/:userId`,
    access: "user",
    scope: "admin",
    touches: ["teams", "stats", "sops", "me"],
    summary: "Take a member out of a team",
  },
});
