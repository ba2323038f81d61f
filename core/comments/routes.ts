import { routeGroup } from "../contract/route.ts";

const all = "/api/sops/:id/comments";
const one = `${all}/:commentId` as const;

export const commentRoutes = routeGroup({
  list: {
    method: "GET",
    path: all,
    access: "user",
    summary: "Comments the asker may see, oldest first: those on a draft are for who sees the draft",
  },
  create: {
    method: "POST",
    path: all,
    access: "user",
    success: 201,
    touches: ["comments"],
    summary: "Comment on the SOP, on words of it, or answer a thread; @username tells people who see it",
  },
  people: {
    method: "GET",
    path: `${all}/people`,
    access: "user",
    summary: "Whom the asker can name in a comment",
  },
  update: { method: "PUT", path: one, access: "user", touches: ["comments"], summary: "Change an own comment" },
  remove: {
    method: "DELETE",
    path: one,
    access: "user",
    touches: ["comments"],
    summary: "Remove a comment; under replies its place stays",
  },
  resolve: {
    method: "POST",
    path: `${one}/resolve`,
    access: "user",
    touches: ["comments"],
    summary: "Resolve a thread, or open it again",
  },
});
