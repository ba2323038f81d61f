import { routeGroup } from "../contract/route.ts";

export const sessionRoutes = routeGroup({
  list: {
    method: "GET",
    path: "/api/sessions",
    access: "user",
    scope: "session",
    summary: "Where the asker is signed in",
  },
  end: {
    method: "DELETE",
    path: "/api/sessions/:id",
    access: "user",
    scope: "session",
    touches: ["sessions"],
    summary: "End one of the asker's sessions",
  },
  endOthers: {
    method: "POST",
    path: "/api/sessions/end-others",
    access: "user",
    scope: "session",
    touches: ["sessions"],
    summary: "End all of the asker's sessions but this one",
  },
});
