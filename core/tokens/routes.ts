import { routeGroup } from "../contract/route.ts";

export const tokenRoutes = routeGroup({
  list: { method: "GET", path: "/api/tokens", access: "user" },
  create: {
    method: "POST",
    path: "/api/tokens",
    access: "user",
    scope: "session",
    proven: "credentials",
    success: 201,
    touches: ["tokens"],
  },
  revoke: {
    method: "DELETE",
    path: "/api/tokens/:id",
    access: "user",
    touches: ["tokens"],
  },
});
