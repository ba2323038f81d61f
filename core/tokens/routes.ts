import { routeGroup } from "../contract/route.ts";

export const tokenRoutes = routeGroup({
  list: { method: "GET", path: "/api/tokens", access: "user", summary: "The asker's own tokens" },
  create: {
    method: "POST",
    path: "/api/tokens",
    access: "user",
    scope: "session",
    success: 201,
    touches: ["tokens"],
    summary: "Make a token: its text is answered once; a token never makes a token",
  },
  revoke: {
    method: "DELETE",
    path: "/api/tokens/:id",
    access: "user",
    touches: ["tokens"],
    summary: "End a token at once",
  },
});
