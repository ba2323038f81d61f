import { routeGroup } from "../contract/route.ts";

const all = "/api/sops/:id/comments";
const one = `${all}/:commentId` as const;

export const commentRoutes = routeGroup({
  list: {
    method: "GET",
    path: all,
    access: "user",
  },
  create: {
    method: "POST",
    path: all,
    access: "user",
    success: 201,
    touches: ["comments"],
  },
  people: {
    method: "GET",
    path: `${all}/people`,
    access: "user",
  },
  update: { method: "PUT", path: one, access: "user", touches: ["comments"] },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    touches: ["comments"],
  },
  resolve: {
    method: "POST",
    path: `${one}/resolve`,
    access: "user",
    touches: ["comments"],
  },
});
