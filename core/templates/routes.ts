import { routeGroup } from "../contract/route.ts";

export const templateRoutes = routeGroup({
  list: { method: "GET", path: "/api/templates", access: "user", summary: "The template library" },
  get: { method: "GET", path: "/api/templates/:id", access: "user", summary: "One template with its text" },
});
