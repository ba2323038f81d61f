import { routeGroup } from "../contract/route.ts";

export const templateRoutes = routeGroup({
  list: { method: "GET", path: "/api/templates", access: "user" },
  get: { method: "GET", path: "/api/templates/:id", access: "user" },
});
