import { routeGroup } from "../contract/route.ts";

export const sessionRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/sessions",
    access: "user",
    scope: "session",
  },
  end: {
    method: "DELETE",
    path: "/api/sessions/:id",
    whileFull: "always",
    access: "user",
    scope: "session",
    touches: ["sessions"],
  },
  endOthers: {
    method: "POST",
    path: "/api/sessions/end-others",
    whileFull: "always",
    access: "user",
    scope: "session",
    touches: ["sessions"],
  },
});
